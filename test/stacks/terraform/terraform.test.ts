import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerraformEvent } from '../../../stacks/terraform/terraform-event.js';
import { Terraform } from '../../../stacks/terraform/terraform.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-terraform-'));
const program = join(folder, 'terraform');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program in Terraform's place: notes what it was asked, then does as the script says. */
function writeFakeTerraform(script: string): void {
  writeFileSync(program, `#!/bin/sh\necho "$@" >> "${join(folder, 'asked')}"\n${script}\n`);
  chmodSync(program, 0o755);
}

const untilTerminated = `trap 'echo ended; exit 1' TERM\necho '{"type":"apply_start"}'\nwhile :; do sleep 0.05; done`;

describe('the real Terraform, run', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'is waited for at %s, and nothing more is started',
    async (signal) => {
      // files that ran before in this process may have left listeners of their own
      const listeners = (): readonly unknown[] => [
        ...process.listeners('SIGTERM'),
        ...process.listeners('SIGINT'),
      ];
      const before = listeners();
      writeFakeTerraform(
        signal === 'SIGTERM' ? untilTerminated : `echo '{"type":"apply_start"}'\nsleep 0.3`,
      );
      const terraform = new Terraform({
        program,
        directory: folder,
        env: process.env,
        onEvent: () => process.emit(signal, signal),
      });
      await expect(terraform.apply('x.tfplan')).rejects.toMatchObject({ code: 'CAS2105' });
      expect(listeners().filter((each) => !before.includes(each))).toEqual([]);
    },
  );

  it('is told to write no colours where its words become a message', async () => {
    writeFakeTerraform('case "$*" in *-no-color*) echo plain;; *) echo coloured;; esac\nexit 1');
    const terraform = new Terraform({ program, directory: folder, env: process.env });
    await expect(terraform.showPlan('x.tfplan')).rejects.toMatchObject({
      code: 'CAS2103',
      message: expect.stringContaining('terraform show failed:\nplain') as string,
    });
  });

  it("says what to do about a type that the sandbox's own providers lack", async () => {
    const detail =
      'The provider hashicorp/azurerm does not support resource type "azurerm_storage_account".';
    const event = {
      type: 'diagnostic',
      diagnostic: { severity: 'error', summary: 'Invalid resource type', detail },
    };
    writeFakeTerraform(`echo '${JSON.stringify(event)}'\nexit 1`);
    const served = new Terraform({
      program,
      directory: folder,
      env: { ...process.env, TF_REATTACH_PROVIDERS: '{}' },
    });
    await expect(served.plan('x.tfplan')).rejects.toMatchObject({
      code: 'CAS2103',
      message: expect.stringMatching(
        /castellan provider types[^]*azapi_resource[^]*--providers official/,
      ),
    });
    const official = new Terraform({ program, directory: folder, env: process.env });
    await expect(official.plan('x.tfplan')).rejects.toMatchObject({
      message: expect.not.stringContaining('azapi_resource'),
    });
  });

  it('waits for a state that is being written', async () => {
    writeFakeTerraform('exit 0');
    await new Terraform({ program, directory: folder, env: process.env }).apply('x.tfplan');
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toContain('-lock-timeout=120s');
  });

  it.each([
    ['rarely, up to a limit of memory', {}, '400 1GiB'],
    ['as the environment says', { GOGC: '50', GOMEMLIMIT: 'off' }, '50 off'],
  ])('configures its garbage collector %s', async (_how, variables, expected) => {
    writeFakeTerraform('echo "{$GOGC $GOMEMLIMIT}"');
    const { GOGC: _gogc, GOMEMLIMIT: _limit, ...env } = process.env;
    expect(
      await new Terraform({
        program,
        directory: folder,
        env: { ...env, ...variables },
      }).pullState(),
    ).toBe(`{${expected}}\n`);
  });

  it('has no resources without a state, and reports a state that it cannot read', async () => {
    const terraform = new Terraform({ program, directory: folder, env: process.env });
    writeFakeTerraform('echo "No state file was found!" >&2\nexit 1');
    expect(await terraform.stateList()).toEqual([]);
    writeFakeTerraform('echo "Error: Failed to load state: access denied" >&2\nexit 1');
    await expect(terraform.stateList()).rejects.toMatchObject({
      code: 'CAS2103',
      message: expect.stringContaining('access denied'),
    });
    await expect(terraform.describePlan('x.tfplan', { color: false })).rejects.toMatchObject({
      code: 'CAS2103',
    });
  });

  it("does not take OpenTofu's warnings for a state", async () => {
    writeFakeTerraform('echo "Warning: Unable to open CLI configuration file"');
    const engine = new Terraform({ program, directory: folder, env: process.env });
    expect(await engine.pullState()).toBe('');
  });

  it('is reported as killed where a signal ended it', async () => {
    writeFakeTerraform('kill -KILL $$');
    const terraform = new Terraform({ program, directory: folder, env: process.env });
    await expect(terraform.plan('x.tfplan')).rejects.toMatchObject({
      code: 'CAS2103',
      message: `terraform plan was killed by SIGKILL in ${folder}, which a system does when its memory runs out: run the command again`,
    });
    await expect(terraform.pullState()).rejects.toMatchObject({ code: 'CAS2103' });
  });

  it("reports Terraform's output", async () => {
    writeFakeTerraform(
      `echo '{"type":"diagnostic","diagnostic":{"severity":"error","summary":"No luck","address":"a.b"}}'\nexit 1`,
    );
    const applied = new Terraform({ program, directory: folder, env: process.env }).apply(
      'x.tfplan',
    );
    await expect(applied).rejects.toMatchObject({
      code: 'CAS2103',
      details: { errors: [{ severity: 'error', summary: 'No luck', address: 'a.b' }] },
      message: expect.stringContaining('- a.b: No luck'),
    });
  });
});

describe('a state that the real Terraform could not write', () => {
  const [newState, earlierState] = [
    '{"serial":2,"lineage":"one","resources":[]}',
    '{"serial":1,"lineage":"one","resources":[]}',
  ];
  const file = join(folder, 'terraform.shop.tfstate');
  const completedCreation = `echo '{"type":"apply_complete","@message":"group.a: Creation complete after 0s [id=7]"}'`;
  const failedSave = `echo '{"type":"diagnostic","diagnostic":{"severity":"error","summary":"Failed to save state"}}'\nexit 1`;
  const apply = (): Promise<void> =>
    new Terraform({ program, directory: folder, env: process.env }).apply('x.tfplan');
  beforeEach(() => {
    writeFileSync(
      join(folder, 'cdk.tf.json'),
      '{"terraform":{"backend":{"local":{"path":"terraform.shop.tfstate"}}}}',
    );
    writeFileSync(file, earlierState);
  });

  it('is restored from the state that Terraform printed, and nothing is lost', async () => {
    const stateDump = `echo '{"@message":"Emergency state dump","state":${newState},"type":"log"}'`;
    writeFakeTerraform(
      `printf '{"ser' > ${file}\n${completedCreation}\n${stateDump}\n${failedSave}`,
    );
    await expect(apply()).rejects.toMatchObject({
      code: 'CAS2107',
      message: expect.stringContaining('nothing is lost'),
    });
    expect(readFileSync(file, 'utf8')).toBe(newState);
  });

  it('keeps its earlier content where Terraform printed no state, and the completed actions are reported', async () => {
    writeFakeTerraform(`printf '{"ser' > ${file}\n${completedCreation}\n${failedSave}`);
    const failure: unknown = await apply().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'CAS2107',
      message: expect.stringContaining('  - group.a: Creation complete after 0s [id=7]'),
    });
    expect(failure).toMatchObject({ message: expect.stringContaining('Failed to save state') });
    expect(readFileSync(file, 'utf8')).toBe(earlierState);
  });

  it("that cannot be restored hides nothing of Terraform's failure", async () => {
    const event = {
      type: 'diagnostic',
      '@message': 'Error: no rights',
      diagnostic: { severity: 'error', summary: 'no rights' },
    };
    writeFakeTerraform(
      `rm ${file}.reserve\nmkdir ${file}.reserve\necho '${JSON.stringify(event)}'\nexit 1`,
    );
    await expect(apply()).rejects.toMatchObject({
      code: 'CAS2107',
      message: expect.stringMatching(
        /terraform\..*tfstate may be incomplete, and could not be restored\n.*reserve.*\n[^]*no rights/,
      ),
    });
    rmSync(`${file}.reserve`, { recursive: true });
  });

  it('is reported as restored by the run after one that was killed', async () => {
    writeFileSync(file, '');
    writeFileSync(`${file}.last-good`, earlierState);
    writeFakeTerraform('exit 0');
    const messages: string[] = [];
    const onEvent = (event: TerraformEvent): void => void messages.push(event['@message']);
    await new Terraform({ program, directory: folder, env: process.env, onEvent }).init();
    expect([messages, readFileSync(file, 'utf8')]).toEqual([
      [expect.stringContaining('it was restored to its content before the run')],
      earlierState,
    ]);
  });
});
