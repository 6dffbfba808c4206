import { CastellanError } from '../../core/errors/castellan-error.js';
import { initBackend, needsNoInstallation, cliConfigurationFile } from './dev-overrides.js';
import { requireDiskSpace } from './disk-space.js';
import { type ExitResult, runEngine } from './engine-process.js';
import type { TerraformPlan } from './plan.js';
import {
  describeStateOutcome,
  incompleteStateError,
  unrestoredStateError,
} from './state-failure.js';
import {
  completedAction,
  describeDiagnostics,
  errorsOf,
  isDiagnostic,
  parseEvent,
  type TerraformEvent,
} from './terraform-event.js';
import { emergencyStateText } from './state-file.js';
import { StateKeeper, type StateOutcome } from './state-keeper.js';

/** The working directory and environment of a Terraform. */
export interface TerraformOptions {
  /** The program, from `findTerraform`. */
  readonly program: string;
  /** The folder that holds `cdk.tf.json`. */
  readonly directory: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with Terraform's progress. */
  readonly onEvent?: (event: TerraformEvent) => void;
}

/**
 * Terraform waits for another run that holds the lock, such as an apply whose castellan was killed.
 */
const lockTimeoutFlag = '-lock-timeout=120s';

/**
 * Runs the real Terraform (or OpenTofu) in one working directory. The user's interrupt reaches
 * Terraform directly, as both are in one process group; a termination is passed on. In both cases
 * Terraform is waited for, so that it writes the state, and nothing more is started: CAS2105.
 */
export class Terraform {
  constructor(private readonly options: TerraformOptions) {}

  /**
   * `terraform init`, after restoring a state that a killed run left incomplete, which a
   * `state_repaired` event reports.
   *
   * @throws CAS2104 when a provider can't be fetched, CAS2103 for anything else, with Terraform's
   *   own words.
   */
  async init(): Promise<void> {
    const keeper = new StateKeeper(this.options.directory);
    const outcome = await keeper.repair();
    if (outcome !== 'intact' && keeper.path !== undefined)
      this.options.onEvent?.({
        type: 'state_repaired',
        '@message': describeStateOutcome(outcome, keeper.path),
      });
    const { program, directory, env } = this.options;
    // Providers that run on this machine already are not installed, whatever the settings say about
    // their folders.
    if (
      !env['TF_REATTACH_PROVIDERS'] &&
      needsNoInstallation(directory, await cliConfigurationFile(program, env))
    )
      return initBackend(directory, env, (folder, variables) =>
        new Terraform({
          ...this.options,
          directory: folder,
          env: { ...env, ...variables },
        }).runInit(),
      );
    return this.runInit();
  }

  private async runInit(): Promise<void> {
    const { exitCode, output } = await this.run(['init', '-input=false', '-no-color']);
    if (exitCode === 0) return;
    const code = /Failed to (query available|install) provider/.test(output)
      ? 'CAS2104'
      : 'CAS2103';
    throw new CastellanError(
      code,
      `terraform init failed in ${this.options.directory}:\n${output.trim()}`,
    );
  }

  /**
   * `terraform plan`, saved to a file.
   *
   * @throws CAS2103 with Terraform's diagnostics.
   */
  async plan(planFile: string, extraArguments: readonly string[] = []): Promise<TerraformPlan> {
    await this.runWithEvents('plan', [
      'plan',
      '-input=false',
      lockTimeoutFlag,
      '-json',
      `-out=${planFile}`,
      ...extraArguments,
    ]);
    return this.showPlan(planFile);
  }

  /** A saved plan as data. @throws CAS2103 with Terraform's own words. */
  async showPlan(planFile: string): Promise<TerraformPlan> {
    const { exitCode, output } = await this.run(['show', '-json', '-no-color', planFile], 'stdout');
    if (exitCode !== 0)
      throw new CastellanError('CAS2103', `terraform show failed:\n${output.trim()}`);
    return JSON.parse(withoutWarnings(output)) as TerraformPlan;
  }

  /**
   * Applies exactly the plan in the file.
   *
   * @throws CAS2103 with Terraform's diagnostics (`details.errors`); CAS2106 when the disk is nearly full; CAS2107
   *   when the state could not be written.
   */
  async apply(planFile: string): Promise<void> {
    await requireDiskSpace(this.options.directory);
    await this.withProtectedState((keeper, completedActions) =>
      this.runWithEvents(
        'apply',
        ['apply', '-input=false', lockTimeoutFlag, '-json', planFile],
        (line, event) => {
          const state = emergencyStateText(line);
          if (state !== undefined) keeper.onEmergencyState(state);
          const action = event === undefined ? undefined : completedAction(event);
          if (action !== undefined) completedActions.push(action);
        },
      ),
    );
  }

  /**
   * Imports an existing object into the state.
   *
   * @throws CAS2103 with Terraform's own words; CAS2107 when the state could not be written.
   */
  async import(address: string, id: string): Promise<void> {
    await this.withProtectedState(async () => {
      const { exitCode, output } = await this.run([
        'import',
        '-input=false',
        '-no-color',
        address,
        id,
      ]);
      if (exitCode !== 0)
        throw new CastellanError(
          'CAS2103',
          `terraform import ${address} ${id} failed:\n${output.trim()}`,
        );
    });
  }

  /**
   * The addresses of the resources in the state; none without a state.
   *
   * @throws CAS2103 with Terraform's own words.
   */
  async stateList(): Promise<string[]> {
    const { exitCode, output } = await this.run(['state', 'list'], 'stdout');
    if (exitCode === 0) return output.split('\n').filter(Boolean);
    if (output.includes('No state file was found')) return [];
    throw new CastellanError('CAS2103', `terraform state list failed:\n${output.trim()}`);
  }

  /**
   * The state in the backend as text; empty if there is none.
   *
   * @throws CAS2103 with Terraform's own words.
   */
  async pullState(): Promise<string> {
    const { exitCode, output } = await this.run(['state', 'pull'], 'stdout');
    if (exitCode !== 0)
      throw new CastellanError('CAS2103', `terraform state pull failed:\n${output.trim()}`);
    return withoutWarnings(output);
  }

  /**
   * Moves resources from one state file to another, both in the working directory. The second one
   * is created if it is missing.
   *
   * @throws CAS2103 with Terraform's own words.
   */
  async moveState(
    from: string,
    to: string,
    addresses: readonly { readonly from: string; readonly to: string }[],
  ): Promise<void> {
    for (const address of addresses)
      await this.runState('mv', [`-state=${from}`, `-state-out=${to}`, address.from, address.to]);
  }

  /**
   * Replaces the state in the backend by a newer one of a file.
   *
   * @throws CAS2103 with Terraform's own words; CAS2107 when the state could not be written.
   */
  async pushState(file: string): Promise<void> {
    await this.withProtectedState(() => this.runState('push', [lockTimeoutFlag, file]));
  }

  /**
   * Removes resources from the state; the objects stay.
   *
   * @param file the state.
   * @default that in the backend
   * @throws as {@link pushState} does.
   */
  async removeFromState(addresses: readonly string[], file?: string): Promise<void> {
    const args = file === undefined ? [lockTimeoutFlag] : [`-state=${file}`];
    await this.withProtectedState(() => this.runState('rm', [...args, ...addresses]));
  }

  private async runState(command: string, args: readonly string[]): Promise<void> {
    const { exitCode, output } = await this.run(['state', command, ...args]);
    if (exitCode !== 0)
      throw new CastellanError('CAS2103', `terraform state ${command} failed:\n${output.trim()}`);
  }

  /** The plan as Terraform prints it for readers. @throws CAS2103 with Terraform's own words. */
  async describePlan(planFile: string, { color }: { readonly color: boolean }): Promise<string> {
    const args = ['show', ...(color ? [] : ['-no-color']), planFile];
    const { exitCode, output } = await this.run(args, 'stdout');
    if (exitCode !== 0)
      throw new CastellanError('CAS2103', `terraform show failed:\n${output.trim()}`);
    return output;
  }

  /** Runs a command that writes the state, and restores an incomplete state afterwards. */
  private async withProtectedState(
    run: (keeper: StateKeeper, completedActions: string[]) => Promise<void>,
  ): Promise<void> {
    const keeper = new StateKeeper(this.options.directory);
    keeper.backUp();
    const completedActions: string[] = [];
    const failure: unknown = await run(keeper, completedActions).then(
      () => undefined,
      (error: unknown) => error,
    );
    let outcome: StateOutcome;
    try {
      outcome = keeper.restoreIfIncomplete();
    } catch (cause) {
      throw unrestoredStateError(keeper.path ?? '', cause, failure);
    }
    if (outcome !== 'intact' && keeper.path !== undefined)
      throw incompleteStateError(outcome, keeper.path, completedActions, failure);
    if (failure !== undefined) throw failure;
  }

  private async runWithEvents(
    command: string,
    args: readonly string[],
    onLine?: (line: string, event: TerraformEvent | undefined) => void,
  ): Promise<void> {
    const diagnosticEvents: TerraformEvent[] = [];
    const { exitCode, output } = await this.run(args, 'both', (line) => {
      const event = parseEvent(line);
      onLine?.(line, event);
      if (event === undefined) return;
      if (isDiagnostic(event)) diagnosticEvents.push(event);
      this.options.onEvent?.(event);
    });
    if (exitCode === 0) return;
    const diagnostics = describeDiagnostics(
      diagnosticEvents,
      this.options.env['TF_REATTACH_PROVIDERS'] ? 'sandbox' : 'others',
    );
    throw new CastellanError(
      'CAS2103',
      `terraform ${command} failed in ${this.options.directory}:\n${diagnostics === '' ? output.trim() : diagnostics}`,
      { details: { errors: errorsOf(diagnosticEvents) } },
    );
  }

  private run(
    args: readonly string[],
    returnedOutput?: 'stdout' | 'both',
    onLine?: (line: string) => void,
  ): Promise<ExitResult> {
    return runEngine(this.options, args, returnedOutput, onLine);
  }
}

/**
 * The JSON document of an output; empty if there is none. OpenTofu writes warnings about the
 * settings of its command line on the standard output, before the document.
 */
function withoutWarnings(output: string): string {
  const start = output.search(/^\{/m);
  return start === -1 ? '' : output.slice(start);
}
