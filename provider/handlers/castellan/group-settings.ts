import { undefinedIfNotFound } from '../../../clients/common/index.js';
import type { GroupSetting, GroupSettingTemplate } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import { type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { collectAll } from '../azuread/listing.js';
import { textOrEmpty, optionalText, textMap } from '../read-values.js';

/** The resource castellan_group_settings. */
export const groupSettings: ResourceHandler = {
  async create({ planned, ...context }) {
    const { api, signal } = context;
    const template = await findTemplate(planned, context);
    const group = optionalText(planned, 'group_object_id');
    const draft = { templateId: template.id, values: completeValues(planned, template) };
    const answer = await (group === undefined
      ? api.directory.groupSettings.create(draft, { signal })
      : api.directory.groups.settings.create(group, draft, { signal }));
    return toState(
      { ...draft, ...answer, values: answer.values ?? draft.values },
      template,
      planned,
    );
  },
  /** Finds a setting by its template: a group, and the tenant, have at most one of each. */
  async findExisting({ planned, ...context }) {
    const { api, signal } = context;
    const template = await findTemplate(planned, context);
    const group = optionalText(planned, 'group_object_id');
    const settings = await (group === undefined
      ? collectAll(api.directory.groupSettings.list({ signal }))
      : collectAll(api.directory.groups.settings.list(group, { signal })));
    const setting = settings.find(({ templateId }) => templateId === template.id);
    return setting === undefined ? undefined : toState(setting, template, planned);
  },
  async read({ state, ...context }) {
    const { api, signal } = context;
    const [group, id] = [optionalText(state, 'group_object_id'), textOrEmpty(state, 'setting_id')];
    const setting = await undefinedIfNotFound(
      group === undefined
        ? api.directory.groupSettings.get(id, { signal })
        : api.directory.groups.settings.get(group, id, { signal }),
    );
    if (setting === undefined) return undefined;
    return toState(
      setting,
      await findTemplate({ template_id: setting.templateId }, context),
      state,
    );
  },
  async update({ prior, planned, ...context }) {
    const { api, signal } = context;
    const [group, id] = [optionalText(prior, 'group_object_id'), textOrEmpty(prior, 'setting_id')];
    const template = await findTemplate(planned, context);
    const values = completeValues(planned, template);
    await (group === undefined
      ? api.directory.groupSettings.update(id, { values }, { signal })
      : api.directory.groups.settings.update(group, id, values, { signal }));
    return toState({ id, templateId: template.id, values }, template, planned);
  },
  async delete({ api, state, signal }) {
    const [group, id] = [optionalText(state, 'group_object_id'), textOrEmpty(state, 'setting_id')];
    await undefinedIfNotFound(
      group === undefined
        ? api.directory.groupSettings.delete(id, { signal })
        : api.directory.groups.settings.delete(group, id, { signal }),
    );
  },
  import(id) {
    const [first = '', second, ...more] = id.split('/');
    if (first === '' || second === '' || more.length > 0)
      throw new ProviderFailure(
        'Invalid import identifier',
        `Expected <setting> or <group>/<setting>, got: ${id}`,
      );
    return second === undefined
      ? { id, setting_id: first }
      : { id, group_object_id: first, setting_id: second };
  },
};

/** @throws ProviderFailure if the directory has no such template. */
async function findTemplate(
  planned: ValueMap,
  { api, signal }: Context,
): Promise<GroupSettingTemplate> {
  const templates = await collectAll(api.directory.groupSettingTemplates.list({ signal }));
  const [name, id] = [optionalText(planned, 'template'), optionalText(planned, 'template_id')];
  const template = templates.find((each) =>
    id === undefined ? each.displayName === name : each.id.toLowerCase() === id.toLowerCase(),
  );
  if (template !== undefined) return template;
  const templateNames = templates.map(({ displayName }) => displayName).join(', ');
  throw new ProviderFailure(
    'Unknown setting template',
    `There is no template "${name ?? id ?? ''}". The directory has: ${templateNames}`,
    [id === undefined ? 'template' : 'template_id'],
  );
}

/**
 * The directory requires every value of the template: unset ones get the template's default.
 *
 * @throws ProviderFailure if the template lacks a configured value.
 */
function completeValues(planned: ValueMap, template: GroupSettingTemplate): GroupSetting['values'] {
  const values = textMap(planned, 'values');
  const names = new Set(template.values.map(({ name }) => name));
  const unknownNames = Object.keys(values).filter((name) => !names.has(name));
  if (unknownNames.length > 0)
    throw new ProviderFailure(
      'Unknown setting',
      `${template.displayName} has no value ${unknownNames.join(', ')}. It has: ${[...names].join(', ')}`,
      ['values'],
    );
  return template.values.map(({ name, defaultValue }) => ({
    name,
    value: values[name] ?? defaultValue,
  }));
}

/** The state contains only configured values: the others follow the template. */
function toState(
  setting: GroupSetting,
  template: GroupSettingTemplate,
  state: ValueMap,
): ActualValues {
  const names = Object.keys(textMap(state, 'values'));
  const isImport = names.length === 0;
  const defaults = new Map(template.values.map(({ name, defaultValue }) => [name, defaultValue]));
  const values = setting.values.filter(({ name, value }) =>
    isImport ? value !== defaults.get(name) : names.includes(name),
  );
  const group = optionalText(state, 'group_object_id');
  return {
    id: group === undefined ? setting.id : `${group}/${setting.id}`,
    setting_id: setting.id,
    template: template.displayName,
    template_id: template.id,
    values: Object.fromEntries(values.map(({ name, value }) => [name, value])),
  };
}
