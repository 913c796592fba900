"""Models of explorers that look at an image."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import traitlets as t

from credalbench.explore.shared.parameter import parameter
from credalbench.explore.shared.program import Program, literal
from credalbench.explore.shared.refitting_model import RefittingModel
from credalbench.explore.shared.subjects.images import (
    NAMES,
    ImageSubject,
    from_text,
    image_from_dataset,
    image_from_name,
    image_from_picture,
)
from credalbench.explore.shared.subjects.limits import IMAGE_HELP


class ImageModel(RefittingModel):
    """A `RefittingModel` that segments an image.

    Attributes
    ----------
    subject : ImageSubject or None
    """

    OWN_FILES = ("own image", f"PNG, JPEG, TIFF, ...; large images are shrunk; {IMAGE_HELP}", "image/*")

    data = parameter(t.Unicode("phantom"), "image", "Image to segment")

    subject = t.Instance(ImageSubject, allow_none=True)

    def named(self) -> Mapping[str, str]:
        """Return the labels of the images to choose from, by name."""
        return NAMES

    def _named(self, name: str) -> ImageSubject:
        return image_from_name(name)

    def _of_data(self, data: object) -> ImageSubject:
        return image_from_dataset(data) if hasattr(data, "n_objects") else image_from_picture(data)

    def _of_file(self, source: str | Path | bytes, name: str | None) -> ImageSubject:
        return image_from_picture(source, name or Path(source).name)

    def _write_data(self, program: Program) -> str:
        """Write the image as it is explored: shrunk, and rounded to the levels that a screen shows."""
        images = "credalbench.explore.shared.subjects.images"
        if self.data in NAMES or (not Path(self.data).suffix and self.data not in self._own):
            program.use(images, "image_from_name")
            program.add(f"image = image_from_name({literal(self.data)})")
            return "image"
        program.use(images, "image_from_picture")
        if Path(self.data).suffix:
            program.add(f"image = image_from_picture({literal(self.data)})")
        else:
            program.add("# picture: the image that the explorer was given.")
            program.add("image = image_from_picture(picture)")
        return "image"

    def _of_text(self, text: str, name: str) -> ImageSubject:
        return from_text(text, name)
