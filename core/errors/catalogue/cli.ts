import type { CatalogueEntry } from '../entry.js';

/** Errors of the command line: CAS8000 to CAS8999. */
export const cliErrors = {
  CAS8001: { title: 'Unknown command or option', help: 'See `castellan --help`.' },
  CAS8101: { title: 'A change would lose data', help: 'Read `castellan plan`; `--allow-replace` lets it pass.' },
  CAS8102: {
    title: 'Not without approval',
    help: 'Add --auto-approve to change the cloud, --auto-approve=NAME to change a protected environment.',
  },
  CAS8104: { title: 'Declined', help: 'Run it again, or approve on the command line with --auto-approve.' },
  CAS8103: { title: 'The configuration has findings', help: 'Run `castellan check` and correct what it reports.' },
  CAS8105: { title: 'A plan file cannot be applied', help: 'Make it again with `castellan plan --out FILE`.' },
  CAS8106: { title: 'No such app', help: '`castellan status` lists the apps that are applied.' },
  CAS8107: { title: 'The app has no command', help: 'Declare `sandbox.command` of the app, and apply it once.' },
  CAS8201: { title: 'No such group, or more than one', help: 'List them with `castellan directory groups list` and name one by its id.' },
  CAS8202: { title: 'The file is there already', help: 'Choose another file or folder; where the command has --force, that replaces it.' },
  CAS8203: {
    title: 'A file cannot be written',
    help: 'Make room, or name another place. What the user keeps (configuration, policy, baseline) is as it was.',
  },
  CAS8301: { title: 'No such person, or more than one', help: 'Name a person by user principal name or object id.' },
  CAS8302: { title: 'No people to answer about', help: 'Name a seed file with --from, or use --from sandbox or --from live.' },
  CAS8303: { title: 'No such app', help: 'Name one of the container apps of the configuration with --app.' },
  CAS8999: { title: 'An unexpected failure', help: 'Run again with --verbose and report what it prints.' },
} as const satisfies Record<`CAS8${string}`, CatalogueEntry>;
