import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, cliPath, root } from '../support/cli.js';
import { installPrograms } from '../support/guide-session.js';
import { blocksOf } from '../support/page-blocks.js';
import { freePort } from '../support/ports.js';

/**
 * How the commands of one block are run: in the shared folder, which has the examples and a sandbox
 * with the storefront.
 */
interface Run {
  /** What must be there before, as a script of the same shell. */
  readonly setup?: string;
  /** What a reader fills in, or can't have here. */
  readonly replacements?: readonly (readonly [RegExp | string, string])[];
}

/** Why a block isn't run here: the test that runs its commands, or what they need. */
type Elsewhere = { readonly runBy: string } | { readonly needs: string };

/** An own folder with castellan.yaml of the storefront; `terraform` works on its applied stack. */
const storefront =
  'cp examples/storefront/*.yaml .; export STACK=$PWD/.castellan/stacks/storefront; . .bin/sandbox-env';
const withPlan = `${storefront}; terraform plan -out tfplan >/dev/null`;
const sources = { needs: 'changes to the sources, which the page makes before' } as const;
const cloud = { needs: 'an account of the cloud' } as const;
const people =
  "printf 'users: [{ userPrincipalName: ada@castellan.example, displayName: Ada Lovelace }]\\n' > people.yaml";
const synopsis = { needs: 'values in place of its words in capital letters' } as const;
const registry = {
  needs: 'the packages on a registry; test/package installs them from their tarballs',
} as const;

/** Every block of commands, in the order of its page. */
const blocks: Readonly<Record<string, readonly (Run | Elsewhere)[]>> = {
  'docs/guides/accept-a-finding.md': [
    {
      setup: `mkdir own; cd own; printf 'version: 1\\nstack: shop\\ncontainerApps:\\n  shop: { image: "a.example/b:1", targetPort: 80, ingress: { external: true } }\\n' > castellan.yaml`,
    },
  ],
  'docs/guides/add-a-kind.md': [sources],
  'docs/guides/add-a-property.md': [sources, sources],
  'docs/guides/adopt.md': [
    {
      setup: `${storefront}; rm castellan.yaml; cp .castellan/*.tfstate terraform.tfstate`,
      // each line writes the file, and the last adopts what this directory has
      replacements: [
        [/^(?=castellan adopt)/gm, 'rm -f castellan.yaml; '],
        ['sales', 'Shop'],
      ],
    },
    { runBy: 'test/cli/adopt-everything.e2e.ts' },
    { runBy: 'test/cli/adopt-everything.e2e.ts' },
    { runBy: 'test/cli/adopt-everything.e2e.ts' },
    { runBy: 'test/cli/adopt-everything.e2e.ts' },
  ],
  'docs/guides/ask-from-another-proxy.md': [
    {
      setup:
        'cp examples/sidecar/auth.yaml .; export DIRECTORY_CLIENT_SECRET=s AUTH_ENCRYPTION_KEY=$(openssl rand -hex 32) AUTH_SIGNING_KEY=$(openssl rand -hex 32)',
    },
  ],
  'docs/guides/check-what-is-there.md': [
    { setup: `${withPlan}; cp .castellan/terraform.storefront.tfstate terraform.tfstate` },
    { setup: '. .bin/sandbox-env; mkdir own; cd own; cp ../examples/storefront/*.yaml .' },
    {
      // The owners of the storefront's groups have no strong method, which is a finding
      setup: storefront,
      replacements: [
        ['https://directory.example', '$CASTELLAN_SANDBOX --dialect azure'],
        [/ +#/g, ' || test $? = 1 #'],
      ],
    },
  ],
  'docs/guides/ci.md': [
    {
      setup: 'mkdir own; cd own; cp ../examples/storefront/*.yaml .',
      replacements: [['npm ci', '']],
    },
    {
      setup:
        'git init -q -b main own; cd own; cp ../examples/storefront/*.yaml .; git add .; git -c user.name=a -c user.email=a@b.c commit -qm one; git remote add origin "file://$PWD"',
    },
    {
      setup:
        'git init -q -b main changed; cd changed; cp ../examples/storefront/*.yaml .; git add .; git -c user.name=a -c user.email=a@b.c commit -qm one; git update-ref refs/remotes/origin/main HEAD',
    },
    { setup: storefront, replacements: [[/^tofu .*$/m, '']] }, // the same with OpenTofu, which isn't here
  ],
  'docs/guides/coming-from-az-scripts.md': [cloud, cloud],
  'docs/guides/coming-from-terraform.md': [{ setup: storefront }, { setup: storefront }],
  'docs/guides/coming-from-the-clouds-layer.md': [
    {
      setup: `mkdir secrets; printf s > secrets/code; printf '%s' '{"properties":{"identityProviders":{"gitHub":{"registration":{"clientId":"a","clientSecretSettingName":"code"}}}}}' > auth.json`,
      replacements: [[/^az .*$/m, '']],
    },
  ],
  'docs/guides/draw-a-picture.md': [{}, { setup: storefront }],
  'docs/guides/editors.md': [{ needs: 'VS Code; .ci/run packs the extension' }, {}],
  'docs/guides/environments.md': [
    {
      setup:
        'mkdir shop; cd shop; castellan init groups --name shop; echo "protected: true" > castellan.prod.yaml',
    },
    {
      setup: 'cd shop',
      replacements: [
        [/$/, '\ncastellan down --all -e prod --auto-approve=prod\ncastellan down --all'],
      ],
    },
  ],
  'docs/guides/first-project.md': [
    registry,
    ...Array<Elsewhere>(8).fill({ runBy: 'test/package/first-project.e2e.ts' }),
  ],
  'docs/guides/images.md': Array<Elsewhere>(4).fill({
    needs: 'images of a registry; the tests of containers build and run the Dockerfile',
  }),
  'docs/guides/into-an-existing-project.md': [
    { runBy: 'test/package/existing-project/existing-project.e2e.ts' },
    { runBy: 'test/package/existing-project/existing-project.e2e.ts' },
  ],
  'docs/guides/install.md': [
    registry,
    {
      setup:
        'export HOME=$PWD; mkdir -p .local/share/bash-completion/completions .zfunc .config/fish/completions',
    },
    { needs: 'npm 11.19, and the packages on a registry' },
    {},
  ],
  'docs/guides/leaving.md': [
    {
      setup:
        'mkdir left; cd left; castellan init app-with-sign-in --name shop; export ARM_TENANT_ID=t ARM_SUBSCRIPTION_ID=s',
      // the official providers are downloaded, and ask the cloud
      replacements: [[/^terraform.*$/m, 'test -s cdk.tf.json']],
    },
  ],
  'docs/guides/move-and-rename.md': [
    { needs: 'two applied stacks of a cdktf app' },
    { runBy: 'test/cli/moves.e2e.ts' },
  ],
  'docs/guides/put-it-in-front-of-any-app.md': [{}],
  'docs/guides/required-check.md': [{ runBy: 'test/policies/sources/hcl.test.ts' }],
  'docs/guides/sandbox.md': [
    { replacements: [['npx cdktf diff', '']] }, // test/cli/main-job.e2e.ts runs it
    {
      setup: '. .bin/sandbox-env; echo "" > script.js',
      replacements: [['localhost:PORT', '$ARM_METADATA_HOSTNAME']],
    },
    {
      setup: '. .bin/sandbox-env; set -x',
      replacements: [
        [/curl/g, 'curl -sS --fail'],
        [/localhost:PORT/g, '$ARM_METADATA_HOSTNAME'],
        [/TENANT/g, '$ARM_TENANT_ID'],
        [/client_id=ID/g, 'client_id=$ARM_CLIENT_ID'],
        ['=SECRET', '=$ARM_CLIENT_SECRET'],
        ['openid ID/', 'openid $ARM_CLIENT_ID/'],
      ],
    },
    { runBy: 'test/sandbox/identity-provider/grants.test.ts' },
    {
      setup: `mkdir own; cd own; printf 'provider "azurerm" {\\n features {}\\n}\\nresource "azurerm_resource_group" "own" {\\n name = "rg-own"\\n location = "westeurope"\\n}\\n' > main.tf; start=$PWD; cd ..`,
      replacements: [
        [
          'terraform init && terraform apply',
          'cd own; terraform init && terraform apply -auto-approve',
        ],
      ],
    },
    { runBy: 'test/sandbox/recording/commands.e2e.ts' },
  ],
  'docs/guides/tour.md': [
    registry,
    ...Array<Elsewhere>(9).fill({ runBy: 'test/docs/tour.e2e.ts' }),
  ],
  'docs/guides/who-gets-in.md': Array<Elsewhere>(7).fill({
    runBy: 'test/docs/who-gets-in.test.ts',
  }),
  'docs/guides/write-a-rule.md': [registry, { needs: 'opa' }],
  'docs/reference/billing.md': [{}, synopsis],
  'docs/reference/constructs.md': [registry, { runBy: 'test/stacks/cdktf.e2e.ts' }],
  'docs/reference/directory.md': [
    { setup: people },
    {
      setup: `${people}; castellan serve directory --no-auth --listen 127.0.0.1:8080 --seed people.yaml`,
    },
  ],
  'docs/reference/errors.md': [{ runBy: 'test/cli/help.test.ts' }],
  'docs/reference/items.md': [
    {},
    {},
    {
      setup: `cp examples/storefront/castellan.yaml .; echo '{"sources":[],"streams":[],"operators":[],"destinations":[]}' > eventstream.json`,
    },
  ],
  'docs/reference/json.md': [
    {
      replacements: [
        ['castellan up', 'castellan up examples/storefront'],
        ['castellan status -e prod', 'castellan status'],
      ],
    },
  ],
  'docs/reference/sidecar.md': [
    synopsis,
    { setup: 'cp examples/sidecar/auth.yaml .' },
    {
      setup: `cp examples/sidecar/auth.yaml .; export DIRECTORY_CLIENT_SECRET=s AUTH_ENCRYPTION_KEY=$(openssl rand -hex 32) AUTH_SIGNING_KEY=$(openssl rand -hex 32)
castellan sidecar --config auth.yaml --upstream http://127.0.0.1:8080 --listen 127.0.0.1:8443 --public-origin http://127.0.0.1:8443`,
    },
  ],
  'README.md': [{ runBy: '.ci/run' }, {}, {}, { runBy: 'test/cli/main-job.e2e.ts' }, {}],
};

const isCommand =
  /^(\$ )?(castellan|npx|npm|terraform|curl|az|eval|git|cat|mkdir|cd|opa|docker|gh) /m;

function commandsOf(page: string): string[] {
  const codeBlocks = blocksOf(readFileSync(join(root, page), 'utf8').split('\n')).map(
    ({ info, lines }) => ({ info, text: lines.join('\n') }),
  );
  return codeBlocks
    .filter(
      ({ info, text }) => ['', 'sh', 'shell', 'console'].includes(info) && isCommand.test(text),
    )
    .map(({ text }) => text);
}

const pagesInFolders = ['docs/guides', 'docs/reference'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
);
const pages = [...pagesInFolders.filter((name) => name.endsWith('.md')), 'README.md'].filter(
  (page) => commandsOf(page).length > 0,
);

const folder = mkdtempSync(join(tmpdir(), 'castellan-commands-'));
let path = '';

beforeAll(async () => {
  for (const name of ['storefront', 'services', 'sidecar'])
    cpSync(join(root, 'examples', name), join(folder, 'examples', name), { recursive: true });
  // a server runs until the block has ended; `terraform` works on the stack that STACK names
  const castellanCommand = `"${process.execPath}" "${cliPath}"`;
  path = installPrograms(folder, cliPath, {
    castellan: `case "$1 $*" in
"sidecar "*--config-test*) ;;
serve*|sidecar*) out=$(mktemp); ${castellanCommand} "$@" >"$out" & echo $! >>"${folder}/servers"; until [ -s "$out" ]; do kill -0 $! || exit 1; sleep 0.1; done; exit 0;;
esac
exec ${castellanCommand} "$@"`,
    terraform: 'PATH="${PATH#*:}" exec terraform ${STACK:+-chdir="$STACK"} "$@"',
  });
  const { exitCode, stderr } = await castellan(['up', 'examples/storefront'], { cwd: folder });
  if (exitCode !== 0) throw new Error(stderr);
  writeFileSync(
    join(folder, '.bin/sandbox-env'),
    (await castellan(['sandbox', 'env'], { cwd: folder })).stdout,
  );
});
afterAll(async () => {
  await castellan(['sandbox', 'stop'], { cwd: folder });
  rmSync(folder, { recursive: true, force: true });
});

test('every page with commands is run, and every block of it', () => {
  expect(Object.keys(blocks).sort()).toEqual([...pages].sort());
  const count = (lists: Readonly<Record<string, readonly unknown[]>>) =>
    Object.entries(lists).map(([page, list]) => `${page} ${list.length}`);
  expect(count(blocks).sort()).toEqual(
    count(Object.fromEntries(pages.map((page) => [page, commandsOf(page)]))).sort(),
  );
  for (const each of Object.values(blocks).flat())
    if ('runBy' in each) expect(existsSync(join(root, each.runBy))).toBe(true);
});

const runs = Object.entries(blocks).flatMap(([page, list]) =>
  list.flatMap((run, index) =>
    'runBy' in run || 'needs' in run ? [] : [{ page, number: index + 1, run }],
  ),
);

test.each(runs)(
  'the commands of $page, block $number',
  async ({ page, number, run: { setup = '', replacements = [] } }) => {
    const [first, second] = [await freePort(), await freePort()];
    let commands = commandsOf(page)[number - 1] ?? '';
    for (const [from, to] of replacements) {
      expect(commands).toMatch(from);
      commands = commands.replace(from, () => to);
    }
    const text = [setup, commands]
      .join('\n')
      .replace(/8080/g, String(first))
      .replace(/8443/g, String(second));
    const clean = `cd "${folder}"; find . -mindepth 1 -maxdepth 1 ! -name examples ! -name .castellan ! -name .bin ! -name shop -exec rm -rf {} +`;
    const stop = `trap '[ ! -f "${folder}/servers" ] || kill $(cat "${folder}/servers")' EXIT`;
    expect(await bash([clean, stop, text].join('\n'))).toEqual({ status: 0, failureOutput: '' });
  },
);

/** Runs a script to its first failure. @returns its output if it failed. */
function bash(
  script: string,
): Promise<{ readonly status: number | null; readonly failureOutput: string }> {
  const env = { ...process.env, PATH: `${path}:${process.env['PATH']}`, NO_COLOR: '1', CI: '1' };
  const child = spawn('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((done) =>
    child.once('exit', (status) => done({ status, failureOutput: status === 0 ? '' : output })),
  );
}
