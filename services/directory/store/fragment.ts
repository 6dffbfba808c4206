/** What a statement can be given. */
export type SqlParameter = string | number | boolean | null;

/**
 * A piece of SQL with `?` in the place of its parameters. Statements that depend on the request are put together from such pieces; they
 * are plain text from the beginning, since one is made for every list that is asked for.
 */
export class Fragment {
  constructor(
    readonly text: string,
    readonly parameters: readonly SqlParameter[] = [],
  ) {}
}

/** Makes a piece of SQL: a piece inside it is put in as it is, every other value becomes a parameter. */
export function sql(strings: TemplateStringsArray, ...values: readonly (Fragment | SqlParameter)[]): Fragment {
  let text = strings[0] ?? '';
  if (values.length === 0) return new Fragment(text);
  const parameters: SqlParameter[] = [];
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value instanceof Fragment) {
      text += value.text;
      if (value.parameters.length > 0) parameters.push(...value.parameters);
    } else {
      text += '?';
      parameters.push(value ?? null);
    }
    text += strings[at + 1] ?? '';
  }
  return new Fragment(text, parameters);
}

/** Text that stands in the statement as it is: never anything that a request brings. */
sql.raw = (text: string): Fragment => new Fragment(text);

/** Pieces one behind the other. */
sql.join = (pieces: readonly Fragment[], separator = ', '): Fragment => {
  let text = '';
  const parameters: SqlParameter[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as Fragment;
    text += at === 0 ? piece.text : separator + piece.text;
    if (piece.parameters.length > 0) parameters.push(...piece.parameters);
  }
  return new Fragment(text, parameters);
};

/** A number that stands in the statement itself, such as a limit: the planner knows it then. */
sql.number = (value: number): Fragment => new Fragment(String(value));
