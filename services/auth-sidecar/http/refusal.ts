import type { PageLink } from '../pages/pages.js';

/** A request refused by the sidecar, with a status and a sentence for its sender. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly options: {
      /** Headers of the answer. */
      readonly headers?: Readonly<Record<string, string | string[]>>;
      /** Whether the connection is closed afterwards. @default false */
      readonly closesConnection?: boolean;
      /** The error code in a JSON answer. */
      readonly code?: string;
      /** The setting that decided, for the audit. */
      readonly rule?: string;
      /** The reason for log and audit, where the message must not say it. */
      readonly reason?: string;
      /** Links on the page with the message. */
      readonly links?: readonly PageLink[];
    } = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** The refusal that a check throws; undefined if it throws none. */
export function refusalIn(check: () => void): Refusal | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
