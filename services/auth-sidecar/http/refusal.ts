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
      /** Links for people. */
      readonly links?: readonly PageLink[];
    } = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}
