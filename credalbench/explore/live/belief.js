// What is read from the masses of an object on sets of clusters: rows of 0 and 1, the empty set first if there is one.

const TIED = 1e-12; // values that differ by less are equal

const sizeOf = (members) => members.reduce((size, one) => size + one, 0);
const massWhere = (masses, sets, holds) => sets.reduce((total, members, j) => total + (holds(members) ? masses[j] : 0), 0);
const belief = (masses, sets, k) => massWhere(masses, sets, (members) => members[k] && sizeOf(members) === 1);
const plausibility = (masses, sets, k) => massWhere(masses, sets, (members) => members[k]);

// The probability of each cluster: the mass of a set is shared equally, that of the empty set left out.
function pignistic(masses, sets) {
  const given = massWhere(masses, sets, sizeOf);
  const c = sets[0].length;
  if (!given) return new Array(c).fill(1 / c);
  const shares = sets[0].map((_, k) => sets.reduce((total, members, j) => total + (members[k] ? masses[j] / sizeOf(members) : 0), 0));
  return shares.map((share) => share / given);
}

// Whether the empty set has more mass than any other set.
function isOutlier(masses, sets) {
  const others = masses.filter((_, j) => sizeOf(sets[j]));
  const empty = sets.findIndex((members) => !sizeOf(members));
  return empty >= 0 && masses[empty] > Math.max(0, ...others) + TIED;
}

// The mean of log2 |A|, weighted by the masses and as a share of log2 c; the empty set counts as the frame.
function nonspecificity(rows, sets) {
  const c = sets[0].length;
  if (c === 1) return 0;
  const weights = sets.map((members) => Math.log2(sizeOf(members) || c) / Math.log2(c));
  const total = rows.reduce((sum, masses) => sum + masses.reduce((part, mass, j) => part + mass * weights[j], 0), 0);
  return total / rows.length;
}

// -- the sentence about an object, as credalbench/belief/explanation.py writes it -----------------------------

const RIVAL = 0.25; // share of the highest mass from which on another set is named
const NAMED = 3; // sets that are named at most, besides the set of highest mass and the empty set
const MANY = 3; // largest number of clusters that a sentence lists if the object is between all of them

const membersOf = (members) => [...members.keys()].filter((k) => members[k]);
const setLabel = (clusters, c) =>
  clusters.length === 0 ? "∅" : clusters.length === c && c > 1 ? "Ω" : `{${clusters.map((k) => k + 1).join(",")}}`;

// Clusters, counted from 1, as in a sentence: 1, 2 and 4.
function listed(clusters, word) {
  const names = clusters.map((k) => String(k + 1));
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}` : names[0];
}

// The first set of largest mass; the empty set only if it has more than any other.
function heaviestSet(masses, sets) {
  const filled = [...sets.keys()].filter((j) => sizeOf(sets[j]));
  if (isOutlier(masses, sets)) return sets.findIndex((members) => !sizeOf(members));
  const given = filled.reduce((total, j) => total + masses[j], 0);
  const most = Math.max(...filled.map((j) => masses[j]));
  return filled.find((j) => masses[j] / given >= most / given - TIED);
}

function sentenceOf(masses, sets) {
  const c = sets[0].length;
  const first = heaviestSet(masses, sets);
  const inside = membersOf(sets[first]);
  const rivals = [...sets.keys()].filter((j) => j !== first && masses[j] >= RIVAL * masses[first]);
  const filled = rivals.filter((j) => sizeOf(sets[j])).sort((a, b) => masses[b] - masses[a] || a - b);
  const named = [first, ...filled.slice(0, NAMED), ...rivals.filter((j) => !sizeOf(sets[j]))];
  const weights = named.map((j) => `${masses[j].toFixed(2)} on ${setLabel(membersOf(sets[j]), c)}`);
  const more = filled.length - NAMED;
  if (more > 0) weights.push(`${more} more set${more > 1 ? "s" : ""} with at least a quarter of the first mass`);
  let lead = `in cluster ${inside[0] + 1}`;
  if (!inside.length) lead = "outlier";
  else if (inside.length > 1) lead = `between ${inside.length === c && c > MANY ? `all ${c} clusters` : listed(inside, "and")}`;
  else {
    const contour = sets[0].map((_, k) => plausibility(masses, sets, k));
    const surest = Math.max(...sets[0].map((_, k) => belief(masses, sets, k)));
    const possible = [...contour.keys()].filter((k) => contour[k] >= surest && !inside.includes(k));
    if (possible.length) {
      const likeliest = possible.reduce((best, k) => (contour[k] > contour[best] ? k : best));
      lead += `, possibly in ${listed(possible, "or")}`;
      weights.push(`plausibility ${contour[likeliest].toFixed(2)} of ${setLabel([likeliest], c)}`);
    }
  }
  return `${lead}: ${weights.join(", ")}`;
}
