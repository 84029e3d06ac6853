"use strict";
// The timeline: parts, marks and the curve above the slider, all on one scale of moments.

/** How far along its line a moment is, in per cent. @param {Course} course @param {number} moment */
const along = (course, moment) => (100 * moment) / Math.max(1, course.moments.length - 1);

/**
 * Draws where levels and rounds begin (turns where there is nothing wider), and what can be jumped to.
 * @param {Course} course @param {HTMLElement} bands @param {HTMLElement} marks
 */
function drawTime(course, bands, marks) {
  const headings = new Set(course.moments.map(({ beat }) => beat[2]));
  const parts = ["level", "round", "turn"].filter((kind) => headings.has(kind));
  const shown = parts[0] === "level" ? parts.slice(0, 2) : parts.slice(0, 1);
  bands.replaceChildren(...shown.map((kind) => band(course, kind, shown[0], bands.clientWidth)));
  const kinds = ["reveal", "take-back", "note"];
  let free = -Infinity;
  const signs = kinds.flatMap((kind) => course.targets(kind).map((moment) => ({ kind, moment })));
  signs.sort((a, b) => a.moment - b.moment || kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  marks.replaceChildren(...signs.map(({ kind, moment }) => {
    const mark = document.createElement("i");
    const [, text, , , notes, returns] = course.moments[moment].beat;
    mark.className = kind;
    mark.title = kind === "note" ? notes.join(" ") : kind === "take-back" ? returns.join(" ") : text;
    const at = (along(course, moment) / 100) * marks.clientWidth;
    // Signs that would lie on each other are moved a little apart, but stay near their place.
    const shift = kind === "reveal" ? 0 : Math.min(SIGN, Math.max(0, free - at));
    if (kind !== "reveal") free = at + shift + SIGN;
    mark.style.left = shift ? `calc(${along(course, moment)}% + ${shift}px)` : `${along(course, moment)}%`;
    mark.dataset.moment = `${moment}`;
    return mark;
  }));
}

/** How wide a sign of a note or a take-back is, in pixels. */
const SIGN = 15;

/**
 * A row of the parts of one kind; rounds count anew in each level.
 * @param {Course} course @param {string} kind @param {string} widest @param {number} width in pixels
 */
function band(course, kind, widest, width) {
  const row = document.createElement("div");
  const starts = course.moments.flatMap(({ beat }, moment) => (beat[2] === kind || beat[2] === widest ? [{ beat, moment }] : []));
  let number = 0;
  for (const [index, { beat, moment }] of starts.entries()) {
    number = beat[2] === kind ? number + 1 : 0;
    if (beat[2] !== kind) continue;
    const span = document.createElement("span");
    const next = index + 1 < starts.length ? along(course, starts[index + 1].moment) : 100;
    const wide = ((next - along(course, moment)) / 100) * width;
    const full = beat[1].replace(/\.$/, "");
    const names = kind === "level" ? [full, full.split(":")[0], `${number}`] : [`${number}`];
    span.className = kind;
    span.textContent = names.find((name) => wide > 9 + 7.5 * name.length) ?? "";
    span.title = beat[1];
    span.style.left = `${along(course, moment)}%`;
    span.style.width = `${next - along(course, moment)}%`;
    span.dataset.moment = `${moment}`;
    row.append(span);
  }
  return row;
}

/** What the game was worth along a line, for its first seat and the next, stacked. */
class Worth {
  /** @param {Curve} curve @param {Course} course */
  constructor(curve, course) {
    this.curve = curve;
    this.course = course;
    this.points = curve.points.filter(([at]) => course.holds(at));
    this.moments = this.points.map(([at]) => course.moment(at));
  }

  /** @param {SVGElement} svg */
  draw(svg) {
    const path = (/** @type {(shares: [number, number, number][]) => number} */ top) => {
      const line = this.points.map(([, shares], i) => `${10 * along(this.course, this.moments[i])} ${top(shares)}`);
      return `M0 100L${line.join("L")}L${line.length ? line[line.length - 1].split(" ")[0] : 0} 100z`;
    };
    const two = this.curve.seats.length === 2;
    const other = two ? `<path class="other" d="${path((shares) => 100 - (shares[0][0] + shares[1][0]) / 10)}"/>` : "";
    svg.innerHTML = `<rect class="none" width="1000" height="100"/>${other}<path class="first" d="${path((shares) => 100 - shares[0][0] / 10)}"/>` +
      `<path class="half" d="M0 50H1000"/><path class="veil" d=""/><path class="here" d="M0 0V100"/>`;
  }

  /** The point that a moment has got from: its shares. @param {number} moment */
  at(moment) {
    const index = floor(this.moments, moment);
    return index < 0 ? null : this.points[index][1];
  }
}
