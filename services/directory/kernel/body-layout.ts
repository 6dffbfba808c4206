import { valueEnd } from './json-text.js';

/** What a text is made of: the properties that are shown without being asked for, and the names of all that the type knows. */
export interface LayoutRules {
  /** In the order of an answer, with the JSON of what stands for an absent value. */
  readonly properties: readonly { readonly name: string; readonly absent: string }[];
  readonly known: ReadonlySet<string>;
  /** Whether what isn't known is shown behind the rest. */
  readonly open: boolean;
}

/** A property's place: what is written before its value, and what stands for `null`. */
interface Place {
  readonly value: number;
  readonly before: string;
  readonly absent: string;
}

/** How bodies with the same properties in the same order are written. */
interface Layout {
  readonly places: readonly Place[];
  readonly end: string;
}

/** Bodies that begin alike: a step for each property, found by its name and colon as they stand in the text. */
class Step {
  readonly #further = new Map<string, Step>();
  #latest: Step | undefined;
  #layout: Layout | undefined;

  constructor(
    readonly label: string,
    private readonly names: readonly string[],
  ) {}

  /** @param make whether a step that was never seen may be added. */
  follow(body: string, at: number, make: () => boolean): Step | undefined {
    if (this.#latest !== undefined && body.startsWith(this.#latest.label, at)) return this.#latest;
    const label = body.slice(at, body.indexOf('":', at) + 2);
    let step = this.#further.get(label);
    if (step === undefined) {
      if (!/^"[^"\\]*":$/.test(label) || !make()) return undefined;
      this.#further.set(label, (step = new Step(label, [...this.names, label.slice(1, -2)])));
    }
    this.#latest = step;
    return step;
  }

  layout(rules: LayoutRules): Layout {
    return (this.#layout ??= layoutOf(this.names, rules));
  }
}

/** So many steps are kept for a type; bodies that need more are written the long way. */
const mostSteps = 5_000;

/**
 * Writes stored bodies out as answers show them, without reading them as JSON: the text of each value is taken as it stands. Objects of
 * a type mostly have the same properties in the same order, so that what is written between their values is known from the last one.
 */
export class BodyLayouts {
  readonly #start = new Step('', []);
  #steps = 0;

  constructor(private readonly rules: LayoutRules) {}

  /**
   * The text of an object behind `head`, such as `{"id":"…"`.
   *
   * @param body a JSON object as `JSON.stringify` writes it.
   * @returns undefined for one that is too unusual.
   */
  write(head: string, body: string): string | undefined {
    const values: string[] = [];
    const last = body.length - 1;
    let step = this.#start;
    for (let at = 1; at < last;) {
      const next = step.follow(body, at, this.#make);
      if (next === undefined) return undefined;
      const start = at + next.label.length;
      const end = valueEnd(body, start);
      if (end > last || (end < last && body[end] !== ',')) return undefined;
      values.push(body.slice(start, end));
      step = next;
      at = end + 1;
    }
    const { places, end } = step.layout(this.rules);
    let text = head;
    for (let at = 0; at < places.length; at++) {
      const { value, before, absent } = places[at] as Place;
      const shown = values[value] as string;
      text += before;
      text += shown === 'null' ? absent : shown;
    }
    return text + end;
  }

  readonly #make = (): boolean => ++this.#steps <= mostSteps;
}

function layoutOf(names: readonly string[], { properties, known, open }: LayoutRules): Layout {
  const places: Place[] = [];
  let before = '';
  const place = (name: string, absent: string): void => {
    places.push({ value: names.indexOf(name), before: `${before},${JSON.stringify(name)}:`, absent });
    before = '';
  };
  for (const { name, absent } of properties) {
    if (names.includes(name)) place(name, absent);
    else before += `,${JSON.stringify(name)}:${absent}`;
  }
  for (const name of open ? names : []) if (!known.has(name)) place(name, 'null');
  return { places, end: `${before}}` };
}
