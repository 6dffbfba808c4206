import { fit, screenOf } from '../core/text/terminal.js';

/** Writes a text for people: on a terminal its lines are broken between words. What programs read is written as it is. */
export function say(stream: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }, text: string): void {
  stream.write(fit(text, screenOf(stream, {})));
}
