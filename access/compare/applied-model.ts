import type { DirectorySnapshot } from '../directory/records.js';
import type { AccessModel } from '../model.js';
import { modelOf } from '../model.js';
import type { AppliedStack } from '../stack/applied.js';
import { appliedApps } from '../stack/applied.js';

/**
 * Who gets in as things are: apps as they are applied, over the directory as it is. Groups and registrations go by the names that the
 * stacks give them, so that a comparison shows what changes and not what is called otherwise.
 *
 * @param head the model of what is declared. @param read the directory that it is of
 */
export function appliedModel(stacks: readonly AppliedStack[], read: DirectorySnapshot, head: AccessModel, now: number): AccessModel {
  const declared = new Map(head.directory.groups.flatMap(({ id, declared: name }) => (name === undefined ? [] : [[id, name] as const])));
  const groups = read.groups.map((group) => {
    const name = declared.get(group.id);
    return name === undefined ? group : { ...group, declared: name };
  });
  const names = new Map(
    head.apps.flatMap(({ directory }) => (directory ? [[directory.application.clientId, directory.application.name]] : [])),
  );
  const apps = stacks
    .flatMap((stack) => appliedApps(stack, read))
    .map((app) => {
      const { directory } = app;
      if (directory === undefined) return app;
      const { clientId, name } = directory.application;
      return { ...app, directory: { ...directory, application: { ...directory.application, name: names.get(clientId) ?? name } } };
    });
  return modelOf(apps, { ...read, groups }, { now, like: head });
}
