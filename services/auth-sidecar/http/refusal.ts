import type { PageLink } from '../pages/pages.js';

/** A request refused by the sidecar, with a status and a sentence for its sender. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly options: {
      readonly headers?: Readonly<Record<string, string | string[]>>;
      readonly close?: boolean;
      readonly code?: string;
      /** The setting that decided, for the audit. */
      readonly rule?: string;
      /** Why, for log and audit, where the answer does not say it. */
      readonly reason?: string;
      /** Links for people. */
      readonly links?: readonly PageLink[];
    } = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** The refusal that a check throws; undefined if it passes. */
export function refusalIn(check: () => void): Refusal | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
