import type { Body, ObjectRow, StoredObject } from './objects.js';

const stored = Symbol('the body as it stands in the database');

/** A body that is read as JSON when somebody asks for it. */
interface Unread {
  readonly text: string;
  body?: Body;
}

interface WithText extends StoredObject {
  readonly [stored]: Unread;
}

/** Turns a row into an object, whose body is read when somebody asks for it: many only need to know that the object exists. */
export function toStoredObject({ number, id, type, version, body: text }: ObjectRow): StoredObject {
  const unread: Unread = { text };
  const object: WithText = {
    number,
    id,
    type,
    version,
    get body() {
      return (unread.body ??= JSON.parse(text) as Body);
    },
    [stored]: unread,
  };
  return object;
}

/**
 * The JSON text of an object's body as it was read from the database; undefined for an object that was made otherwise. A copy of an object
 * with another body has no text: copying reads the body, and then both are compared.
 */
export function storedText(object: { readonly body: Body }): string | undefined {
  const unread = (object as Partial<WithText>)[stored];
  return unread === undefined || (unread.body !== undefined && unread.body !== object.body) ? undefined : unread.text;
}
