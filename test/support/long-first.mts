import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The test files that take longest, below test/. They start before all others, so that no core
 * waits for one of them at the end; vitest knows durations only of files that have run before.
 */
const longest = [
  'kinds/conformance/conformance.test.ts',
  'policies/packs/restricted-packs.test.ts',
  'policies/packs/load-packs.test.ts',
  'cli/help.test.ts',
  'cli/hostile-pull-requests.test.ts',
  'cli/hostile-packs.test.ts',
  'cli/unsearched-folders.test.ts',
  'cli/commands/access-base.test.ts',
  'policies/sources/plan/huge-plans.test.ts',
  'services/directory/http/wrong-types.test.ts',
  'services/items/postgres.test.ts',
  'package/templates.e2e.ts',
  'package/existing-project/existing-project.e2e.ts',
  'sandbox/containers/containers.e2e.ts',
  'docs/commands.e2e.ts',
  'cli/interrupted.e2e.ts',
  'provider/plugin.e2e.ts',
  'sandbox/console/console.e2e.ts',
  'stacks/cdktf.e2e.ts',
  'cli/many-resources.e2e.ts',
  'cli/moves.e2e.ts',
  'cli/adopt-everything.e2e.ts',
  'package/small-packages.e2e.ts',
  'cli/environments.e2e.ts',
  'sandbox/background/life.e2e.ts',
  'package/first-project.e2e.ts',
  'cli/working.e2e.ts',
  'package/strict-types.e2e.ts',
  'sandbox/serve/several-processes.e2e.ts',
  'cli/main-job.e2e.ts',
  'docs/tour.e2e.ts',
];

/**
 * Runs the projects in the order of vitest.config.mts, the longest files of each first, and the
 * others in vitest's own order.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return this.ctx.projects.flatMap((project) => {
      const own = sorted.filter((each) => each.project === project);
      const long = longest.flatMap((name) =>
        own.filter(({ moduleId }) => moduleId.includes(`/test/${name}`)),
      );
      return [...long, ...own.filter((each) => !long.includes(each))];
    });
  }
}
