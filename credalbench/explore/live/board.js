// What the board says of one mass function: the decisions of credalbench/learn/mass_board.py, as text.

// The names of the largest values, in words.
function largest(values, names) {
  const most = Math.max(...values);
  const tied = names.filter((_, k) => values[k] >= most - TIED);
  return tied.join(" and ") + (tied.length > 1 ? ", equally" : "");
}

// A line for each rule of decision.
function decisionsOf(masses, sets, labels) {
  if (isOutlier(masses, sets)) return ["highest mass on ∅: none of them, an outlier"];
  const clusters = sets[0].map((_, k) => k);
  const singles = clusters.map((k) => `{${k + 1}}`);
  const contour = clusters.map((k) => plausibility(masses, sets, k));
  const surest = Math.max(...clusters.map((k) => belief(masses, sets, k)));
  return [
    `most plausible: ${largest(contour, singles)}`,
    `of highest pignistic probability: ${largest(pignistic(masses, sets), singles)}`,
    `not ruled out: ${setLabel(clusters.filter((k) => contour[k] >= surest - TIED), clusters.length)}`,
    `set of highest mass: ${largest(masses, labels)}`,
  ];
}

// The largest mass that one set may have, in hundredths, where the others keep theirs.
const leftFor = (hundredths, j) => 100 - hundredths.reduce((total, value, i) => total + (i === j ? 0 : value), 0);
