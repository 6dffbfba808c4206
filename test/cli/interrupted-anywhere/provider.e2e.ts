import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxEnvironmentVariables } from '../../../sandbox/environment-variables.js';
import { kill, processesWith } from '../../support/processes.js';
import {
  runToEnd,
  runInterrupted,
  millisecondsOf,
  numbersFor,
  momentCount,
  Project,
} from './support.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const group = {
  display_name: 'Shoppers',
  mail_nickname: 'shoppers',
  mail_enabled: true,
  security_enabled: true,
  types: ['Unified'],
  owners: ['${data.azuread_user.ada.object_id}'],
};
const house = {
  workspace_id: '${fabric_workspace.telemetry.id}',
  display_name: 'store',
  description: '${var.text}',
};
const setting = {
  template: 'Group.Unified.Guest',
  group_object_id: '${azuread_group.shoppers.object_id}',
};
/**
 * Every type of resource of castellan/castellan, with the resources that they refer to. `var.text`
 * and `local.is_first` change them.
 */
const configuration = {
  terraform: {
    required_providers: {
      castellan: { source: 'castellan/castellan' },
      fabric: { source: 'microsoft/fabric' },
    },
  },
  provider: { azuread: {}, fabric: {} },
  variable: { text: { default: 'first' } },
  locals: { is_first: '${var.text == "first"}' },
  data: { azuread_user: { ada: { user_principal_name: 'ada@contoso.example' } } },
  resource: {
    azuread_group: { shoppers: group },
    fabric_workspace: {
      telemetry: { display_name: 'Telemetry', capacity_id: 'c0ffee00-0000-4000-8000-000000000001' },
    },
    castellan_group_properties: {
      shoppers: {
        group_object_id: '${azuread_group.shoppers.object_id}',
        preferred_language: '${local.is_first ? "en-US" : "de-DE"}',
      },
    },
    castellan_group_settings: {
      tenant: {
        template: 'Group.Unified',
        values: { UsageGuidelinesUrl: 'https://contoso.example/${var.text}' },
      },
      guests: { ...setting, values: { AllowToAddGuests: '${local.is_first}' } },
    },
    castellan_group_lifecycle_policy: {
      half: {
        group_lifetime_in_days: '${local.is_first ? 180 : 365}',
        managed_group_types: 'Selected',
        alternate_notification_emails: ['ada@contoso.example'],
        group_object_ids: ['${azuread_group.shoppers.object_id}'],
      },
    },
    castellan_eventhouse: { store: house },
    castellan_eventstream: { clicks: { ...house, display_name: 'clicks' } },
  },
};

describe('a provider that is killed at any moment of an apply', () => {
  let project: Project;
  let plugins: string;
  let inventories: Record<'none' | 'first' | 'second', readonly string[]>;
  let lengths: Record<'create' | 'change' | 'destroy', number>;
  const commands = {
    create: ['apply', '-auto-approve'],
    change: ['apply', '-auto-approve', '-var=text=second'],
    destroy: ['destroy', '-auto-approve'],
  };

  const terraformCommand = (args: readonly string[]): Parameters<typeof runToEnd>[0] => {
    const { TF_REATTACH_PROVIDERS: reattach, ...env } = project.environment();
    const sandboxed = JSON.parse(reattach ?? '{}') as Record<string, unknown>;
    delete sandboxed['registry.terraform.io/castellan/castellan']; // terraform launches this one
    const devVariables = {
      TF_REATTACH_PROVIDERS: JSON.stringify(sandboxed),
      TF_CLI_CONFIG_FILE: join(project.folder, 'dev.tfrc'),
    };
    const official = sandboxEnvironmentVariables(project.folder, { providers: 'official' });
    return {
      program: 'terraform',
      args: [...args, '-no-color', '-input=false'],
      cwd: project.folder,
      env: { ...env, ...official, ...devVariables },
    };
  };
  const terraform = async (...args: readonly string[]): Promise<void> => {
    const { code, output } = await runToEnd(terraformCommand(args));
    expect({ args, code, output: code === 0 ? '' : output }).toEqual({ args, code: 0, output: '' });
  };
  const startProject = async (): Promise<void> => {
    project = new Project('');
    const none = await project.inventory();
    plugins = dirname(
      (
        await project.succeeds(
          'provider',
          'install',
          '--plugin-dir',
          join(project.folder, 'plugins'),
        )
      ).trim(),
    );
    writeFileSync(join(project.folder, 'main.tf.json'), JSON.stringify(configuration));
    writeFileSync(
      join(project.folder, 'dev.tfrc'),
      `provider_installation {\n  dev_overrides { "castellan/castellan" = ${JSON.stringify(plugins)} }\n  direct {}\n}\n`,
    );
    const create = await millisecondsOf(() => terraform(...commands.create));
    const first = await project.inventory();
    const change = await millisecondsOf(() => terraform(...commands.change));
    const second = await project.inventory();
    const destroy = await millisecondsOf(() => terraform(...commands.destroy));
    inventories = { none, first, second };
    lengths = { create, change, destroy };
  };
  beforeAll(startProject);
  afterAll(() => project.end());
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await project.end(); // a failed test may leave what makes the next one fail
    await startProject();
  });

  /** Ends the provider that runs at a moment of an apply, or the next that runs. */
  const killProviderIn = async (
    operation: keyof typeof commands,
    moment: number,
  ): Promise<void> => {
    await runInterrupted(
      terraformCommand(commands[operation]),
      lengths[operation] * moment,
      async (_group, hasEnded) => {
        for (let running = processesWith(plugins); ; running = processesWith(plugins)) {
          running.forEach(kill);
          if (running.length > 0 || hasEnded()) return;
          await wait(5);
        }
      },
    );
  };
  const expectConvergence = async (
    operation: keyof typeof commands,
    expected: readonly string[],
  ): Promise<void> => {
    await terraform(...commands[operation]);
    expect(await project.inventory()).toEqual(expected);
  };

  const random = numbersFor('provider');
  const moments = Array.from(
    { length: Math.ceil(momentCount / 3) },
    () => [random(), random(), random()] as const,
  );

  it.each(moments)(
    'the next apply adopts the objects: killed at %f of a creation, at %f of a change, at %f of a destruction',
    async (...shares) => {
      await killProviderIn('create', shares[0]);
      await expectConvergence('create', inventories.first);
      await terraform('plan', '-detailed-exitcode');

      await killProviderIn('change', shares[1]);
      await expectConvergence('change', inventories.second);
      await terraform('plan', '-detailed-exitcode', '-var=text=second');

      await killProviderIn('destroy', shares[2]);
      await expectConvergence('destroy', inventories.none);
    },
  );

  it('has created and changed everything that the provider serves', () => {
    const { none, first, second } = inventories;
    expect(first.filter((line) => !none.includes(line))).toMatchInlineSnapshot(`
      [
        "Eventhouse store of Telemetry: first",
        "Eventstream clicks of Telemetry: first",
        "KQLDatabase store of Telemetry: ",
        "group Shoppers en-US",
        "lifecycle of 180 days",
        "setting Group.Unified of all: EnableMIPLabels=false CustomBlockedWordsList= EnableMSStandardBlockedWords=false ClassificationDescriptions= DefaultClassification= PrefixSuffixNamingRequirement= AllowGuestsToBeGroupOwner=false AllowGuestsToAccessGroups=true GuestUsageGuidelinesUrl= GroupCreationAllowedGroupId= AllowToAddGuests=true UsageGuidelinesUrl=https://contoso.example/first ClassificationList= EnableGroupCreation=true NewUnifiedGroupWritebackDefault=true",
        "setting Group.Unified.Guest of Shoppers: AllowToAddGuests=true",
        "workspace Telemetry",
      ]
    `);
    expect(second.filter((line) => !first.includes(line))).toMatchInlineSnapshot(`
      [
        "Eventhouse store of Telemetry: second",
        "Eventstream clicks of Telemetry: second",
        "group Shoppers de-DE",
        "lifecycle of 365 days",
        "setting Group.Unified of all: EnableMIPLabels=false CustomBlockedWordsList= EnableMSStandardBlockedWords=false ClassificationDescriptions= DefaultClassification= PrefixSuffixNamingRequirement= AllowGuestsToBeGroupOwner=false AllowGuestsToAccessGroups=true GuestUsageGuidelinesUrl= GroupCreationAllowedGroupId= AllowToAddGuests=true UsageGuidelinesUrl=https://contoso.example/second ClassificationList= EnableGroupCreation=true NewUnifiedGroupWritebackDefault=true",
        "setting Group.Unified.Guest of Shoppers: AllowToAddGuests=false",
      ]
    `);
  });
});
