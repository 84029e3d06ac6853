"use strict";
// Checks a recording with WebCrypto alone: the chain of digests, and all that chance gave (docs/format.md, docs/chance.md).

/** @typedef {{events: string[], head: string}} Log */
/** @typedef {{at: number, text: string}} Fault */
/** @typedef {{items: string[], seen: Record<string, string | null>, fixed: number[]}} Deck */
/** @typedef {{items: string[], out: Record<string, string | null>}} Bag */
/** @typedef {{epoch: number, counters: Record<string, number>, decks: Record<string, Deck>, bags: Record<string, Bag>,
 *   redrawn: boolean}} Chance */
/** @typedef {{batches: number, events: number, dice: number, cards: number, counters: number, sealed: number,
 *   byHand: number, open: number, secrets: number, head: string, chain: Fault[], chance: Fault[]}} Findings */
/** @typedef {Record<string, any>} Fact */

const HEADS = new Set(["GameOpened", "ActionTaken", "Rewound", "GameForked", "NoteAdded", "NoteRemoved", "UndoAsked",
  "UndoAnswered", "Resalted", "Redrawn", "KeyRevealed", "VersionChanged"]);

/** @param {string} text */
async function H(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
/** @param {string} nonce @param {string} seed */
const keyOf = (nonce, seed) => H(`warptape/1|key|${nonce}|${seed}`);
/** @param {string} nonce @param {string} seed */
const commitmentOf = (nonce, seed) => H(`warptape/1|commit|${nonce}|${seed}`);
/** @param {string} key @param {string} stream @param {number} counter @param {number} n */
async function choose(key, stream, counter, n) {
  return Number(BigInt("0x" + (await H(`${key}|${stream}|${counter}`)).slice(0, 32)) % BigInt(n));
}
/** @param {string} key @param {number} position @param {string} field @param {any} value */
async function sealOf(key, position, field, value) {
  const salt = (await H(`${key}|seal|${position}|${field}`)).slice(0, 32);
  return H(`${salt}|${JSON.stringify(value)}`);
}

/**
 * What lies on every place of a shuffle under a key; fixed places hold what was seen there.
 * @param {string} key @param {string} name @param {string[]} items @param {Record<string, string>} fixed
 */
async function deal(key, name, items, fixed) {
  const left = [...items];
  for (const item of Object.values(fixed)) left.splice(left.indexOf(item), 1);
  const order = [...left.keys()];
  for (let i = left.length - 1; i >= 0; i--) {
    const j = await choose(key, `shuffle/${name}`, i, i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  let k = 0;
  return items.map((_, place) => (place in fixed ? fixed[place] : left[order[k++]]));
}

/**
 * Checks all of a log; never throws for what a log may hold.
 * @param {Log} log @param {(done: number) => void} [tell] hears how many events are done @returns {Promise<Findings>}
 */
async function checkLog(log, tell = () => {}) {
  /** @type {Findings} */
  const found = { batches: 0, events: log.events.length, dice: 0, cards: 0, counters: 0, sealed: 0, byHand: 0, open: 0,
    secrets: 0, head: log.head, chain: [], chance: [] };
  /** @type {Fact[]} */
  const facts = log.events.map((text, at) => {
    try {
      return Object(JSON.parse(text));
    } catch {
      return {};
    }
  });
  await checkChain(log, facts, found);
  await new ChanceCheck(facts, found).run(tell);
  return found;
}

/** @param {Log} log @param {Fact[]} facts @param {Findings} found */
async function checkChain(log, facts, found) {
  let first = 0;
  const digest = (/** @type {number} */ stop) => H(log.events.slice(first, stop).map((text) => text + "\n").join(""));
  for (const [at, fact] of facts.entries()) {
    if (at > 0 && !HEADS.has(fact.type)) continue;
    found.batches++;
    if (at === 0 ? fact.type !== "GameOpened" || fact.prev : (fact.prev || "") !== (await digest(at))) {
      found.chain.push({ at: first, text: at ? `is not what @${at} was recorded after` : "opens no game" });
    }
    first = at;
  }
  if (log.head !== (await digest(facts.length))) found.chain.push({ at: first, text: "is not what the log ends with" });
}

/** Follows what chance remembers along the lines of a log, and compares each outcome with what the secret gives. */
class ChanceCheck {
  /** @param {Fact[]} facts @param {Findings} found */
  constructor(facts, found) {
    this.facts = facts;
    this.found = found;
    /** @type {Map<number, string>} */
    this.keys = new Map();
    /** @type {Map<number, {commitment: string, chance: string}>} */
    this.epochs = new Map();
    /** @type {Map<string, string[]>} */
    this.dealt = new Map();
    /** @type {Chance} */
    this.now = { epoch: 0, counters: {}, decks: {}, bags: {}, redrawn: false };
  }

  /** @param {(done: number) => void} tell */
  async run(tell) {
    const { facts, found } = this;
    for (const fact of facts) {
      if (fact.type === "KeyRevealed") this.keys.set(fact.since, await keyOf(fact.nonce, fact.seed));
    }
    found.secrets = this.keys.size;
    const wanted = new Set(facts.filter((fact) => fact.type === "Rewound").map((fact) => fact.to));
    /** @type {Map<number, Chance>} */
    const kept = new Map();
    for (const [at, fact] of facts.entries()) {
      try {
        const back = fact.type === "Rewound" ? kept.get(fact.to) : undefined;
        if (back) this.now = structuredClone(back);
        else await this.take(at, fact);
      } catch {
        found.chance.push({ at, text: "cannot be followed" });
      }
      if (wanted.has(at)) kept.set(at, structuredClone(this.now));
      if (at % 50 === 0) tell(at);
    }
  }

  /** @param {number} at @param {Fact} fact */
  async take(at, fact) {
    const { now, found } = this;
    const key = this.epochs.get(now.epoch)?.chance === "table" ? undefined : this.keys.get(now.epoch);
    switch (fact.type) {
      case "GameOpened":
        this.epochs.set(0, { commitment: fact.commitment || "", chance: fact.chance || "fate" });
        break;
      case "Resalted":
        this.epochs.set(at, { commitment: fact.commitment || "", chance: fact.chance || "fate" });
        now.epoch = at;
        for (const [name, deck] of Object.entries(now.decks)) deck.fixed = (fact.fixed || {})[name] || [];
        break;
      case "KeyRevealed":
        if ((await commitmentOf(fact.nonce, fact.seed)) !== this.epochs.get(fact.since)?.commitment) {
          found.chance.push({ at, text: "reveals another secret than was committed to" });
        }
        break;
      case "Redrawn": // what was hidden is something else from here on, and nobody can say what from this log
        now.redrawn = true;
        break;
      case "DiceRolled": {
        const count = fact.count ?? 1;
        const since = now.counters[fact.stream] || 0;
        now.counters[fact.stream] = since + count;
        const values = [];
        for (let i = 0; key && i < count; i++) values.push((await choose(key, fact.stream, since + i, fact.sides)) + 1);
        found.dice += count;
        await this.compare(at, "values", fact.values, key && values, key);
        break;
      }
      case "DeckShuffled":
        now.decks[`${fact.deck}/${fact.ordinal}`] = { items: fact.items, seen: {}, fixed: [] };
        break;
      case "CardDrawn": {
        const deck = now.decks[fact.deck];
        const item = key && (await this.lying(key, fact.deck, deck))?.[fact.place];
        found.cards++;
        deck.seen[fact.place] = await this.compare(at, "item", fact.item, item, key);
        break;
      }
      case "CardRevealed": {
        const deck = now.decks[fact.deck];
        const item = deck.seen[fact.place] ?? undefined;
        deck.seen[fact.place] = await this.compare(at, "item", fact.item, item, key, true);
        break;
      }
      case "BagFilled":
        now.bags[fact.bag] = { items: fact.items,
          out: Object.fromEntries((fact.out || []).map((/** @type {string} */ item) => [item, item])) };
        break;
      case "CounterDrawn": {
        const bag = now.bags[fact.bag];
        const stream = `bag/${fact.bag}`;
        const counter = now.counters[stream] || 0;
        const gone = Object.values(bag.out);
        const inside = bag.items.filter((item) => !gone.includes(item));
        const sure = key && !gone.includes(null) && inside.length;
        const item = sure ? inside[await choose(key, stream, counter, inside.length)] : undefined;
        now.counters[stream] = counter + 1;
        found.counters++;
        bag.out[fact.token] = await this.compare(at, "item", fact.item, item, key);
        break;
      }
      case "CounterRevealed": {
        const { out } = now.bags[fact.bag];
        out[fact.token] = await this.compare(at, "item", fact.item, out[fact.token] ?? undefined, key, true);
        break;
      }
      case "CounterReturned":
        delete now.bags[fact.bag].out[fact.token];
    }
  }

  /** @param {string} key @param {string} name @param {Deck} deck */
  async lying(key, name, deck) {
    const fixed = Object.fromEntries(deck.fixed.map((place) => [place, deck.seen[place] ?? null]));
    if (this.now.redrawn || Object.values(fixed).includes(null)) return undefined;
    const id = JSON.stringify([key, name, deck.items, fixed]);
    const known = this.dealt.get(id) ?? (await deal(key, name, deck.items, /** @type {Record<string, string>} */ (fixed)));
    this.dealt.set(id, known);
    return known;
  }

  /**
   * Compares what is recorded, open or sealed, with what must be; returns what is known of it now.
   * @param {number} at @param {string} field @param {any} recorded @param {any} must undefined where nobody can say
   * @param {string | undefined} key @param {boolean} [again] it was counted when it was drawn
   */
  async compare(at, field, recorded, must, key, again = false) {
    const sealed = recorded !== null && typeof recorded === "object" && "sealed" in recorded;
    if (must === undefined || (sealed && !key)) {
      if (!again && this.epochs.get(this.now.epoch)?.chance === "table") this.found.byHand++;
      else if (!again) this.found.open++;
      return sealed ? null : recorded;
    }
    if (sealed) this.found.sealed++;
    const same = sealed
      ? recorded.sealed === (await sealOf(/** @type {string} */ (key), at, field, must))
      : JSON.stringify(recorded) === JSON.stringify(must);
    if (!same) {
      const says = sealed ? "something else, sealed" : [recorded].flat().join(", ");
      this.found.chance.push({ at, text: `records ${says}; the secret gives ${[must].flat().join(", ")}` });
    }
    return must;
  }
}

/** What was found, in sentences: each with its class, and where it is. @param {Findings} found @returns {[string, string, number?][]} */
function verdict(found) {
  /** @type {[string, string, number?][]} */
  const said = [];
  const most = 8;
  if (!found.chain.length) {
    said.push(["good", `The chain is whole: ${found.events} events in ${found.batches} batches, each sealed by the one after it. Its head: ${found.head.slice(0, 16)}…`]);
  }
  for (const { at, text } of found.chain.slice(0, most)) said.push(["bad", `The chain is broken: the batch at @${at} ${text}.`, at]);
  const all = found.dice + found.cards + found.counters;
  const proven = all - found.open - found.byHand;
  if (!found.secrets) {
    if (all > found.byHand) said.push(["open", "The secret of chance is not in the log: dice and cards can be checked when the game is over."]);
  } else if (!found.chance.length) {
    const sealed = found.sealed ? `; ${found.sealed} of these were sealed, and the seals fit` : "";
    said.push(["good", "The secret that the log reveals is the one that was committed to."]);
    if (proven) said.push(["good", `All ${proven} dice, cards and counters follow from it${sealed}.`]);
  }
  for (const { at, text } of found.chance.slice(0, most)) said.push(["bad", `Chance is not as it must be: @${at} ${text}.`, at]);
  const more = Math.max(0, found.chain.length - most) + Math.max(0, found.chance.length - most);
  if (more) said.push(["bad", `And ${more} more.`]);
  if (found.secrets && found.open) said.push(["open", `${found.open} outcomes cannot be computed from this log.`]);
  if (found.byHand) said.push(["open", `${found.byHand} outcomes were entered by hand: real dice prove nothing.`]);
  return said;
}
