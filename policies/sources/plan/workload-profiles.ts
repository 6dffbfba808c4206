import type { Finding } from '../../../core/findings/finding.js';
import { type DeclarationRunner, declarationRunner } from '../../engine/run-rules.js';
import type { PlannedResource } from '../../engine/planned-resource.js';
import { type Declaration, StackIndex } from '../../engine/stack-index.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import { appWorkloadProfile } from '../../rules/declaration/app-workload-profile.js';
import type { PlanConfiguration } from './plan-configuration.js';
import type { DeclaredPart } from './declarations.js';
import { primaryTypes } from './declaring-types.js';
import type { PlanCheckOptions } from './plan-check-options.js';

/** An app that chooses a workload profile. */
interface AppWithProfile {
  readonly app: Declaration;
  /** The resource id of its environment, if known. */
  readonly environmentId: unknown;
  /** The attribute that has this id. */
  readonly attribute: string;
}

/** Checks that the environments of a plan have the workload profiles that its apps choose. */
export class WorkloadProfiles {
  readonly #isEnabled: boolean;
  readonly #run: DeclarationRunner;
  readonly #apps: AppWithProfile[] = [];
  readonly #environmentsByAddress = new Map<string, Declaration>();
  /** By resource group and name, as ids of environments have them. */
  readonly #environmentsByName = new Map<string, Declaration>();

  constructor(private readonly options: Pick<PlanCheckOptions, 'rules' | 'locate' | 'now'>) {
    const rules = options.rules.filter(({ id }) => id === appWorkloadProfile.id);
    this.#isEnabled = rules.length > 0;
    this.#run = declarationRunner(rules, { scope: 'stack', now: options.now });
  }

  add(declaration: DeclaredPart, { type, after }: PlannedResource): void {
    const { section, value, origin, resourceGroup = '', isAdditional } = declaration;
    if (!this.#isEnabled || isAdditional === true) return;
    if (section === 'environments') {
      this.#environmentsByAddress.set(origin.terraformAddress ?? '', declaration);
      const name = valueAtPath(value, ['name']);
      if (typeof name === 'string')
        this.#environmentsByName.set(`${resourceGroup}/${name.toLowerCase()}`, declaration);
    } else if (section === 'containerApps' && 'workloadProfile' in value) {
      const attribute = type === 'azapi_resource' ? 'body' : 'container_app_environment_id';
      const paths =
        attribute === 'body'
          ? [
              ['body', 'properties', 'environmentId'],
              ['body', 'properties', 'managedEnvironmentId'],
            ]
          : [[attribute]];
      const environmentId = paths
        .map((path) => valueAtPath(after, path))
        .find((id) => typeof id === 'string');
      this.#apps.push({ app: declaration, environmentId, attribute });
    }
  }

  /** The findings about apps whose environment is among the resources. */
  finish(configuration: PlanConfiguration | undefined): readonly Finding[] {
    return this.#apps.flatMap((each) => {
      const environment = this.#environmentOf(each, configuration);
      if (environment === undefined) return [];
      const app = { ...each.app, value: { ...each.app.value, environment: environment.name } };
      const declarations = [environment, app as Declaration];
      const index = new StackIndex({}, declarations, () => [], this.options.locate);
      return this.#run(app as Declaration, index);
    });
  }

  #environmentOf(
    { app, environmentId, attribute }: AppWithProfile,
    configuration: PlanConfiguration | undefined,
  ): Declaration | undefined {
    if (typeof environmentId === 'string') {
      const [, group = '', name = ''] =
        /\/resourceGroups\/([^/]+)\/.*\/managedEnvironments\/([^/]+)$/i.exec(environmentId) ?? [];
      return this.#environmentsByName.get(`${group}/${name}`.toLowerCase());
    }
    const address = configuration?.targetOf(
      app.origin.terraformAddress ?? '',
      attribute,
      primaryTypes('environments'),
    );
    return address === undefined ? undefined : this.#environmentsByAddress.get(address);
  }
}
