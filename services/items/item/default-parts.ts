import type { StoredPart } from './definition.js';

/** The definition that an item has when it was given none, by its type. */
export function defaultParts(item: { type: string; parent_id: string | null; settings: string }): readonly StoredPart[] {
  switch (item.type) {
    case 'Eventhouse':
      return [json('EventhouseProperties.json', {})];
    case 'Eventstream':
      return [
        json('eventstream.json', { sources: [], destinations: [], streams: [], operators: [], compatibilityLevel: '1.0' }),
        json('eventstreamProperties.json', { retentionTimeInDays: 1, eventThroughputLevel: 'Low' }),
      ];
    case 'KQLDatabase': {
      const { databaseType = 'ReadWrite' } = JSON.parse(item.settings) as { databaseType?: string };
      return [
        json('DatabaseProperties.json', { databaseType, parentEventhouseItemId: item.parent_id }),
        { path: 'DatabaseSchema.kql', payload: '' },
      ];
    }
    default:
      return [];
  }
}

function json(path: string, value: unknown): StoredPart {
  return { path, payload: Buffer.from(JSON.stringify(value)).toString('base64') };
}
