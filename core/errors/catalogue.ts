/** One entry of the error catalogue. */
interface CatalogueEntry {
  /** What went wrong, in a few words, without the particulars of a case. */
  readonly title: string;
  /** What the reader can do about it. */
  readonly help: string;
}

/** Errors of the command line: CAS8000 to CAS8999. */
const cliErrors = {
  CAS8001: {
    title: 'Unknown command or option',
    help: '`castellan --help` lists the commands, `--help` behind a command what it takes.',
  },
  CAS8101: {
    title: 'A change would lose data',
    help: 'Read `castellan plan`; `--allow-replace=ADDRESS` and `--allow-destroy=ADDRESS` allow it.',
  },
  CAS8102: {
    title: 'Approval required',
    help: 'Add --auto-approve to change the cloud, --auto-approve=NAME to change a protected environment.',
  },
  CAS8104: {
    title: 'Declined',
    help: 'Run it again, or approve on the command line with --auto-approve.',
  },
  CAS8103: {
    title: 'The configuration has findings',
    help: 'Run `castellan check` and correct what it reports.',
  },
  CAS8105: {
    title: 'A plan file cannot be applied',
    help: 'Create it again with `castellan plan --out FILE`.',
  },
  CAS8106: { title: 'No such app', help: '`castellan status` lists the apps that are applied.' },
  CAS8107: {
    title: 'The app has no command',
    help: 'Declare `sandbox.command` of the app, and apply it once.',
  },
  CAS8109: {
    title: 'Not supported with --watch',
    help: '`castellan up --watch` applies configurations to the sandbox only.',
  },
  CAS8201: {
    title: 'No such group, or more than one',
    help: 'List them with `castellan directory groups list` and name one by its id.',
  },
  CAS8202: {
    title: 'The file already exists',
    help: 'Choose another file or folder; where the command has --force, that replaces it.',
  },
  CAS8203: {
    title: 'A file cannot be written',
    help: 'Free disk space, or choose another path. Your own files (configuration, policy, baseline) are unchanged.',
  },
  CAS8204: {
    title: 'No such resource group, or more than one',
    help: 'A stack has one resource group: name it with --resource-group.',
  },
  CAS8207: {
    title: 'Permission denied',
    help: 'Check who owns the file or folder that the message names, and its permissions.',
  },
  CAS8206: {
    title: 'An adopted object does not exist, or its secret is unknown',
    help: 'The objects that exist were imported into the state; `castellan plan` shows the others, and `castellan up` creates them.',
  },
  CAS8205: {
    title: 'The stack is already applied',
    help: 'Name another stack with --stack, or pass --no-import: existing objects are imported into an empty state only.',
  },
  CAS8301: {
    title: 'No such person, or more than one',
    help: 'Name a person by user principal name or object id.',
  },
  CAS8302: {
    title: 'No directory data',
    help: 'Name a seed file with --from, or use --from sandbox or --from live.',
  },
  CAS8303: {
    title: 'No such app',
    help: 'Name one of the container apps of the configuration with --app.',
  },
  CAS8999: {
    title: 'Unexpected error',
    help: 'Run again with --verbose and report what it prints.',
  },
} as const satisfies Record<`CAS8${string}`, CatalogueEntry>;

/** Errors of the HTTP clients: CAS5000 to CAS5999. */
const clientsErrors = {
  CAS5001: {
    title: 'A service answered with an error',
    help: "The message contains the service's own code and request id.",
  },
  CAS5002: {
    title: 'A service could not be reached',
    help: 'Check the address, the network and the certificate.',
  },
  CAS5003: {
    title: 'A service did not answer in time',
    help: 'Try again, or set a longer timeout.',
  },
  CAS5004: {
    title: 'No token could be fetched',
    help: 'Check the credentials of the token provider.',
  },
  CAS5005: {
    title: 'A list has no valid link to go on',
    help: 'The service returned the same next page again, or no link where one must be: report it to the operator of the service.',
  },
  CAS5006: {
    title: 'A resource id is not valid',
    help: 'Pass the id of one resource; an Azure resource id begins with /subscriptions/ and names its group, provider and type.',
  },
} as const satisfies Record<`CAS5${string}`, CatalogueEntry>;

/** Errors of the configuration file: CAS1000 to CAS1999. */
const configErrors = {
  CAS1001: { title: 'A file cannot be read', help: 'Check the path and its permissions.' },
  CAS1002: {
    title: 'An environment variable is missing',
    help: 'Set it, or give a value in the configuration.',
  },
  CAS1003: {
    title: 'A budget file is not valid',
    help: 'Correct the line that the message names; see docs/reference/billing.md.',
  },
  CAS1004: {
    title: 'Not an eventstream definition',
    help: 'Give an eventstream.json, a definition with parts, or a castellan.yaml with eventstreams.',
  },
} as const satisfies Record<`CAS1${string}`, CatalogueEntry>;

/** Errors of the policy engine: CAS7000 to CAS7999. */
const policyErrors = {
  CAS7001: { title: 'Unknown rule', help: 'See `castellan rules list`.' },
  CAS7002: {
    title: 'A policy file cannot be used',
    help: 'Check the path and what the message says is wrong in it.',
  },
  CAS7003: {
    title: 'Custom rules cannot be run',
    help: 'Correct the file that the message names; docs/guides/write-a-rule.md shows how rules look.',
  },
  CAS7004: {
    title: 'The base cannot be compared',
    help: 'Run within the git repository, and fetch the base first.',
  },
  CAS7005: {
    title: 'A finding cannot be fixed or suppressed',
    help: 'See the findings with `castellan check --format json`.',
  },
  CAS7006: {
    title: 'The git history does not contain the base',
    help: 'Run the command of the message. In CI, check out the whole history: `fetch-depth: 0` at GitHub, `GIT_DEPTH: 0` at GitLab.',
  },
  CAS7101: {
    title: 'A plan cannot be read',
    help: 'Give the file that `terraform show -json PLANFILE` prints.',
  },
  CAS7102: {
    title: 'A state cannot be read',
    help: 'Give the file that `terraform show -json` prints for the state.',
  },
  CAS7103: {
    title: 'A manifest of sources cannot be used',
    help: 'Give the castellan.manifest.json next to the Terraform JSON the plan was made of, or leave --manifest out.',
  },
  CAS7104: {
    title: 'A folder of Terraform files cannot be used',
    help: 'Give --source the folder in which terraform plan ran. It has .tf or .tofu files; .tf.json files are not read.',
  },
} as const satisfies Record<`CAS7${string}`, CatalogueEntry>;

/** Errors of the Terraform provider: CAS3000 to CAS3999. */
const providerErrors = {
  CAS3001: {
    title: 'Not a resource of this provider',
    help: '`castellan provider types` lists what is served. Declare other types of the cloud as azapi_resource, or run with --providers official.',
  },
  CAS3002: {
    title: 'The provider is not configured',
    help: 'Report this: Terraform configures a provider before it uses it.',
  },
  CAS3003: {
    title: 'A state is newer than the provider',
    help: 'Use the version of castellan that wrote the state, or a newer one.',
  },
  CAS3004: {
    title: 'This resource type cannot be imported',
    help: 'Let Terraform create it; docs/reference/provider.md says what can be imported.',
  },
  CAS3005: {
    title: 'The provider was started by hand',
    help: 'Terraform starts it: see `castellan provider install`.',
  },
  CAS3006: {
    title: 'The provider lacks a setting',
    help: 'Set it in the provider block or by the environment variable that the message names.',
  },
  CAS3007: {
    title: 'The plugin cannot be installed here',
    help: 'The message says what is missing.',
  },
} as const satisfies Record<`CAS3${string}`, CatalogueEntry>;

/** Errors of the sandbox and its services: CAS4000 to CAS4999. */
const sandboxErrors = {
  CAS4001: {
    title: 'The database cannot be opened',
    help: 'Check the URL: sqlite:PATH, postgres://… or memory:.',
  },
  CAS4002: {
    title: 'The seed file is not valid',
    help: 'Correct the entry that the message names.',
  },
  CAS4003: { title: 'A start-up option is not valid', help: 'See `castellan serve --help`.' },
  CAS4005: {
    title: 'SQLite is not available',
    help: 'Use Node 22.13 or later, which includes it, or run `npm rebuild better-sqlite3` (after `npm approve-scripts better-sqlite3` where npm asks for it; with pnpm `pnpm approve-builds`; `npm install better-sqlite3` where it is missing).',
  },
  CAS4010: {
    title: 'A sandbox is already running',
    help: 'Use it, or stop it with `castellan sandbox stop`.',
  },
  CAS4011: { title: 'The sandbox did not start', help: 'See the log that the message names.' },
  CAS4012: { title: 'No sandbox is running', help: 'Start one with `castellan sandbox start`.' },
  CAS4013: {
    title: "The sandbox's folder cannot be used",
    help: 'Check who owns the folder that the message names, its permissions, and whether the disk is full.',
  },
  CAS4014: {
    title: "The sandbox's port is in use",
    help: 'Stop the other program, or start over: delete .castellan.',
  },
  CAS4015: {
    title: 'An image cannot be built',
    help: 'Correct the Dockerfile or what it copies; the message has the last lines of the build.',
  },
  CAS4016: {
    title: 'The sandbox does not answer',
    help: 'See the log that the message names; `castellan sandbox stop` ends it.',
  },
  CAS4020: {
    title: "The sandbox's clock cannot be set",
    help: 'Use a time span such as +30d, a later date such as 2027-01-31, or resume for the present time.',
  },
  CAS4021: {
    title: 'A snapshot of the sandbox cannot be used',
    help: '`castellan sandbox list` lists the saved ones.',
  },
  CAS4022: {
    title: 'A person cannot sign in',
    help: '`castellan access` says who gets in, and why somebody does not.',
  },
  CAS4023: {
    title: 'The faults of the sandbox are not valid',
    help: '`castellan sandbox faults list` lists the presets; docs/guides/sandbox.md describes the file.',
  },
  CAS4024: {
    title: 'A recording cannot be used',
    help: '`castellan sandbox record FILE` makes one (HAR 1.2), in a folder that exists.',
  },
} as const satisfies Record<`CAS4${string}`, CatalogueEntry>;

/** Errors of the auth sidecar: CAS6000 to CAS6999. */
const sidecarErrors = {
  CAS6001: {
    title: 'The auth configuration is not valid',
    help: 'Correct the properties that the findings name.',
  },
  CAS6004: {
    title: 'An option of the sidecar is not valid',
    help: 'See `castellan sidecar --help`.',
  },
  CAS6005: {
    title: 'The token store cannot be reached',
    help: 'Check --token-store: that its server accepts connections from here, or that its file can be written.',
  },
  CAS6006: {
    title: 'The sidecar cannot listen',
    help: 'Choose another --listen or --admin-listen address, or stop the program that uses it.',
  },
  CAS6007: {
    title: "The operators' port refused, or does not answer",
    help: "Give the sidecar's --admin-listen address with --admin, and its CASTELLAN_SIDECAR_ADMIN_TOKEN if it has one.",
  },
} as const satisfies Record<`CAS6${string}`, CatalogueEntry>;

/** Errors of constructs and synthesis: CAS2000 to CAS2999. */
const synthErrors = {
  CAS2001: {
    title: 'A construct was given a value that is not allowed',
    help: 'The findings in the message say what is allowed.',
  },
  CAS2002: { title: 'A principal cannot be looked up by name', help: 'Give its object id.' },
  CAS2003: {
    title: 'A reference is not an object id',
    help: 'Pass the construct itself, or the object id.',
  },
  CAS2004: {
    title: 'A container app has no environment',
    help: 'Give it an environment, or the stack a location.',
  },
  CAS2005: {
    title: 'Two secrets of an app have the same name',
    help: 'Give the secret that you declare another name.',
  },
  CAS2006: {
    title: 'A definition cannot be read',
    help: 'Check that the file is there and holds a JSON document.',
  },
  CAS2007: {
    title: 'A reference cannot be resolved',
    help: 'Declare what it names, or correct the name.',
  },
  CAS2008: {
    title: 'Declarations have a circular dependency',
    help: 'Remove one of the dependencies.',
  },
  CAS2009: {
    title: 'Two stacks have the same name or state',
    help: 'Give each configuration its own `stack:`, and each stack of a program its own id and backend key.',
  },
  CAS2010: {
    title: 'No input',
    help: 'Pass a castellan.yaml or a folder that contains one.',
  },
  CAS2011: {
    title: 'The output folder cannot be created',
    help: 'Choose another folder with --out, or free disk space.',
  },
  CAS2012: {
    title: 'A method does not apply to its construct',
    help: 'Give the construct the props that the message names, or remove the call.',
  },
  CAS2013: {
    title: 'Cloud settings are set too late',
    help: 'Set them before the constructs that use them, directly after the stack is created.',
  },
  CAS2014: {
    title: 'An environment variable has a value that is not allowed',
    help: 'Set it to a value that the message lists, or unset it.',
  },
  CAS2101: {
    title: 'Terraform or OpenTofu could not be fetched',
    help: 'Install Terraform or OpenTofu 1.11 or later, or name it with CASTELLAN_TERRAFORM.',
  },
  CAS2102: {
    title: 'Terraform was not found',
    help: 'Install Terraform 1.11 or later (or OpenTofu), or name it with CASTELLAN_TERRAFORM.',
  },
  CAS2103: {
    title: 'Terraform failed',
    help: 'The message has the error of Terraform; `castellan plan` shows what it would do.',
  },
  CAS2104: {
    title: 'A provider could not be fetched',
    help: 'Terraform finds official providers in a registry or a mirror (provider_installation in its configuration); --providers castellan needs none.',
  },
  CAS2105: {
    title: 'Interrupted',
    help: 'The state has what was done so far: run the same command again, and it continues from there.',
  },
  CAS2106: {
    title: 'The disk is nearly full',
    help: 'Free disk space, then run the same command again.',
  },
  CAS2107: {
    title: 'The state could not be written',
    help: 'Free disk space, then run the same command again: it continues from the state that was kept.',
  },
  CAS2108: {
    title: 'The stacks declare different engines',
    help: 'Give all stacks of a command the same `engine:`, or none, or run the command for each.',
  },
  CAS2109: {
    title: 'A state cannot be moved',
    help: 'Give the command both stacks of the entry in `moved`, or move the state with `terraform state mv`.',
  },
  CAS2110: {
    title: 'The engine does not have a feature that the stack uses',
    help: 'Choose OpenTofu by `engine: tofu`, CASTELLAN_ENGINE=tofu or CASTELLAN_TERRAFORM, or leave the feature out.',
  },
} as const satisfies Record<`CAS2${string}`, CatalogueEntry>;

/**
 * Every error a user can meet, by its stable code. docs/reference/errors.md lists the same entries;
 * a test keeps both equal.
 */
export const catalogue = {
  ...configErrors,
  ...synthErrors,
  ...providerErrors,
  ...sandboxErrors,
  ...clientsErrors,
  ...sidecarErrors,
  ...policyErrors,
  ...cliErrors,
} as const;

/** A code of the catalogue, such as `CAS1001`. */
export type ErrorCode = keyof typeof catalogue;
