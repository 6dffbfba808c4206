import type { AccessSender } from '../http/answer.js';

/** The fields logged for a request. */
export interface AccessFields {
  readonly id: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The signed-in user or program. */
  readonly sender?: AccessSender | undefined;
  /** Address of the client, behind trusted proxies. */
  readonly client?: string | undefined;
}

/**
 * The line of a request, put together from its parts: `JSON.stringify` of the whole takes twice as
 * long.
 *
 * @param start of each line: the process.
 * @param time in the form of ISO 8601
 */
export function accessLine(
  start: string,
  time: string,
  { id, method, path, status, milliseconds, client, sender }: AccessFields,
): string {
  const from = client === undefined ? '' : `,"client":"${escaped(client)}"`;
  const by = sender === undefined ? '' : senderText(sender);
  const ms = Math.round(milliseconds * 10) / 10;
  return `{"level":"info","time":"${time}",${start},"id":"${id}","method":"${escaped(method)}","path":"${escaped(path)}","status":${status}${from}${by},"ms":${ms},"msg":"request"}\n`;
}

/** The fields of senders, each of whom sends many requests. */
const senderTexts = new WeakMap<AccessSender, string>();

function senderText(sender: AccessSender): string {
  const known = senderTexts.get(sender);
  if (known !== undefined) return known;
  const { via, provider, user } = sender;
  const text = `,${JSON.stringify({ via, provider, user }).slice(1, -1)}`;
  senderTexts.set(sender, text);
  return text;
}

/** Characters that stand for themselves in a text of JSON. */
const plain = /^[ !#-[\]-~]*$/;

function escaped(text: string): string {
  return plain.test(text) ? text : JSON.stringify(text).slice(1, -1);
}
