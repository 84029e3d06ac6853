"use strict";
// Drawings that change: elements, and boards that move from one moment to the next.

const SVG = "http://www.w3.org/2000/svg";

/** The element with an id. @template {Element} [T=HTMLElement] @param {string} id @returns {T} */
const $ = (id) => /** @type {T} */ (/** @type {unknown} */ (document.getElementById(id)));

/** A new element. @param {string} name @param {string} [cls] @param {string} [text] */
function make(name, cls, text) {
  const element = document.createElement(name);
  if (cls) element.className = cls;
  if (text) element.textContent = text;
  return element;
}

/** A drawing that changes by what is new and what is gone; a thing that turns up elsewhere moves there. */
class Canvas {
  /** @param {SVGSVGElement} svg @param {string[]} parts */
  constructor(svg, parts) {
    this.svg = svg;
    this.parts = parts;
    /** @type {Map<string, SVGGraphicsElement>} */
    this.shown = new Map();
  }

  /**
   * Shows a picture, and returns what is new in it.
   * @param {Picture} picture @param {number} [millis] how long things take to move; 0: they are there at once
   * @returns {SVGGraphicsElement[]}
   */
  show({ box, parts }, millis = 0) {
    this.svg.toggleAttribute("hidden", !parts.length);
    if (!parts.length) return [];
    this.svg.setAttribute("viewBox", box);
    const [, , wide, tall] = box.split(" ");
    this.svg.setAttribute("width", wide);
    this.svg.setAttribute("height", tall);
    /** @type {Map<string, SVGGraphicsElement>} */
    const next = new Map();
    /** @type {Map<string, DOMRect | null>} */
    const gone = new Map();
    /** @type {SVGGraphicsElement[]} */
    const fresh = [];
    for (const part of parts) {
      let key = `${part}`;
      while (next.has(key)) key += "+";
      next.set(key, this.shown.get(key) ?? this.made(part, fresh));
    }
    for (const [key, element] of this.shown) {
      if (next.has(key)) continue;
      const name = millis ? named(element) : "";
      if (name) gone.set(name, gone.has(name) ? null : element.getBBox());
      element.remove();
    }
    let cursor = this.svg.firstChild;
    for (const element of next.values()) {
      if (element === cursor) cursor = cursor.nextSibling;
      else this.svg.insertBefore(element, cursor);
    }
    this.shown = next;
    if (millis && fresh.length < 80) for (const element of fresh) arrive(element, gone, millis);
    return fresh;
  }

  /** @param {number} part @param {SVGGraphicsElement[]} fresh */
  made(part, fresh) {
    const holder = document.createElementNS(SVG, "g");
    holder.innerHTML = this.parts[part];
    const element = /** @type {SVGGraphicsElement} */ (holder.firstElementChild);
    fresh.push(element);
    return element;
  }
}

/** The name of a piece or of a group of them. @param {Element} element */
const named = (element) => element.matches(".wt-piece,:has(.wt-piece)") ? element.querySelector("title")?.textContent || "" : "";

/** @param {SVGGraphicsElement} element @param {Map<string, DOMRect | null>} gone @param {number} millis */
function arrive(element, gone, millis) {
  const name = named(element);
  if (!name) return;
  const from = gone.get(name);
  const to = element.getBBox();
  const shift = from && `translate(${from.x + from.width / 2 - to.x - to.width / 2}px,${from.y + from.height / 2 - to.y - to.height / 2}px)`;
  element.animate(shift ? [{ transform: shift }, { transform: "none" }] : [{ opacity: 0 }, { opacity: 1 }],
    { duration: millis, easing: "ease-out" });
}

/**
 * Scrolls a box so that some elements in it are in sight, as far as they fit.
 * @param {HTMLElement} box @param {SVGGraphicsElement[]} elements @param {boolean} gently
 */
function bring(box, elements, gently) {
  const places = elements.map((element) => element.getBoundingClientRect()).filter(({ width, height }) => width && height);
  if (!places.length) return;
  const frame = box.getBoundingClientRect();
  const middle = (/** @type {"left" | "top"} */ low, /** @type {"right" | "bottom"} */ high) =>
    (Math.min(...places.map((one) => one[low])) + Math.max(...places.map((one) => one[high]))) / 2 - (frame[low] + frame[high]) / 2;
  box.scrollBy({ left: middle("left", "right"), top: middle("top", "bottom"), behavior: gently ? "smooth" : "instant" });
}
