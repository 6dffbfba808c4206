import type { CatalogueEntry } from '../entry.js';

/** Errors of the sandbox and its services: CAS4000 to CAS4999. */
export const sandboxErrors = {
  CAS4001: { title: 'The database cannot be opened', help: 'Check the URL: sqlite:PATH, postgres://… or memory:.' },
  CAS4002: { title: 'The seed file is not valid', help: 'Correct the entry that the message names.' },
  CAS4003: { title: 'A start-up option is not valid', help: 'See `castellan serve --help`.' },
  CAS4005: {
    title: 'There is no SQLite',
    help: 'Use Node 22.13 or later, which brings it, or run `npm rebuild better-sqlite3` (with pnpm `pnpm approve-builds`; `npm install better-sqlite3` where it is missing).',
  },
  CAS4010: { title: 'A sandbox is running already', help: 'Use it, or end it with `castellan sandbox stop`.' },
  CAS4011: { title: 'The sandbox did not start', help: 'See the log that the message names.' },
  CAS4012: { title: 'No sandbox is running', help: 'Start one with `castellan sandbox start`.' },
  CAS4013: { title: "The sandbox's folder cannot be used", help: 'Check who owns the folder that the message names, and its permissions.' },
  CAS4014: { title: "The sandbox's port is taken", help: 'End the other program, or begin again with `castellan sandbox reset`.' },
} as const satisfies Record<`CAS4${string}`, CatalogueEntry>;
