"use strict";
// The timeline: parts, marks and the curve above the slider, all on one scale of moments.

/** How far along its line a moment is, in per cent. @param {Course} course @param {number} moment */
const along = (course, moment) => (100 * moment) / Math.max(1, course.moments.length - 1);

/**
 * Draws where levels and rounds begin (turns where there is nothing wider), and what can be jumped to.
 * @param {Course} course @param {HTMLElement} bands @param {HTMLElement} marks
 */
function drawTime(course, bands, marks) {
  const kinds = ["level", "round", "turn"].filter((kind) => course.targets(kind).length);
  const shown = kinds[0] === "level" ? kinds.slice(0, 2) : kinds.slice(0, 1);
  const starts = course.moments.flatMap(({ beat }, moment) => (shown.includes(beat[2]) ? [{ beat, moment }] : []));
  let number = 0;
  bands.replaceChildren(...starts.map(({ beat, moment }, index) => {
    const span = document.createElement("span");
    const next = index + 1 < starts.length ? along(course, starts[index + 1].moment) : 100;
    number = beat[2] === shown[0] && shown.length > 1 ? 0 : number + 1;
    span.className = beat[2];
    const wide = ((next - along(course, moment)) / 100) * bands.clientWidth;
    const name = number ? `${number}` : beat[1].split(":")[0].replace(/\.$/, "");
    span.textContent = wide > 9 + 7 * name.length || wide > 40 ? name : "";
    span.title = beat[1];
    span.style.left = `${along(course, moment)}%`;
    span.style.width = `${next - along(course, moment)}%`;
    span.dataset.moment = `${moment}`;
    return span;
  }));
  marks.replaceChildren(...["reveal", "take-back", "note"].flatMap((kind) => course.targets(kind).map((moment) => {
    const mark = document.createElement("i");
    const [, text, , , notes, returns] = course.moments[moment].beat;
    mark.className = kind;
    mark.title = kind === "note" ? notes.join(" ") : kind === "take-back" ? returns.join(" ") : text;
    mark.style.left = `${along(course, moment)}%`;
    mark.dataset.moment = `${moment}`;
    return mark;
  })));
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
      `<path class="half" d="M0 50H1000"/><path class="here" d="M0 0V100"/>`;
  }

  /** The point that a moment has got from: its shares. @param {number} moment */
  at(moment) {
    const index = floor(this.moments, moment);
    return index < 0 ? null : this.points[index][1];
  }
}
