"""The source of images."""

from collections.abc import Mapping
from pathlib import Path

from credalbench.explore.program import Program, literal
from credalbench.explore.sources.images import (
    NAMES,
    ImageSubject,
    from_text,
    image_from_dataset,
    image_from_name,
    image_from_picture,
)
from credalbench.explore.sources.limits import IMAGE_HELP
from credalbench.explore.sources.source import Source


class ImageSource(Source):
    """A source of images."""

    FILES = ("your image", f"PNG, JPEG, TIFF, ...; large images are shrunk; {IMAGE_HELP}", "image/*")

    def names(self) -> Mapping[str, str]:
        return NAMES

    def named(self, name: str) -> ImageSubject:
        return image_from_name(name)

    def from_data(self, data: object) -> ImageSubject:
        return image_from_dataset(data) if hasattr(data, "n_objects") else image_from_picture(data)

    def from_file(self, source: str | Path | bytes, name: str | None) -> ImageSubject:
        return image_from_picture(source, name or Path(source).name)

    def from_text(self, text: str, name: str, answers: Mapping[str, object]) -> ImageSubject:
        return from_text(text, name)

    def write(self, program: Program) -> str:
        """Write code that loads the image as explored: shrunk, and rounded to 256 levels."""
        images, data = "credalbench.explore.sources.images", self.model.data
        if data in NAMES or (not Path(data).suffix and data not in self.own):
            program.use(images, "image_from_name")
            program.add(f"image = image_from_name({literal(data)})")
            return "image"
        program.use(images, "image_from_picture")
        if Path(data).suffix:
            program.add(f"image = image_from_picture({literal(data)})")
        else:
            program.add("# picture: the image that the explorer was given.")
            program.add("image = image_from_picture(picture)")
        return "image"
