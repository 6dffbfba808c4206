import type { Finding } from '../../core/findings/finding.js';
import { didYouMean, isTypo, nearest } from '../../core/text/nearest.js';
import { isObject } from '../../core/values/is-object.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { sections } from '../../kinds/stack/schema.js';
import { type Locate, makeFinding, type Subject } from '../engine/finding-maker.js';
import { valueAt } from '../engine/schema-validation.js';
import type { StackIndex } from '../engine/stack-index.js';
import { overlayPath } from '../model/environments.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import { locationUnknown, publishedRegions } from '../rules/stack/location-unknown.js';
import { overlayUnmatched } from '../rules/stack/overlay-unmatched.js';

const stackSubject = { path: [], origin: {} };

/** The findings about a stack's location and overlay, which no declaration has. */
export function stackSettingsFindings(stack: LoadedStack, index: StackIndex): readonly Finding[] {
  const { location } = index.settings.azure ?? {};
  return [
    ...locationFindings(location, stackSubject, stack.locate),
    ...unmatchedKeyFindings(stack),
  ];
}

/** The finding about a location that is no published region of the cloud. */
export function locationFindings(
  given: unknown,
  subject: Subject,
  locate: Locate,
): readonly Finding[] {
  if (typeof given !== 'string' || given.includes('${')) return [];
  const name = given.toLowerCase().replaceAll(' ', '');
  if (name === '' || publishedRegions.includes(name)) return [];
  const closest = nearest(name, publishedRegions);
  return [
    makeFinding(
      locationUnknown,
      {
        messageId: 'unpublished',
        path: ['azure', 'location'],
        parameters: { given, hint: didYouMean(closest) },
        ...(closest !== undefined && { fix: { value: closest } }),
      },
      subject,
      locate,
    ),
  ];
}

/**
 * The keys of an overlay that the documents below it lack, although they should have them.
 */
function unmatchedKeyFindings(stack: LoadedStack): readonly Finding[] {
  const { environment, files, layers } = stack;
  const overlay = environment === undefined ? '' : overlayPath(files[0] ?? '', environment);
  const overlayIndex = layers.documents.findIndex(({ source }) => source.file === overlay);
  if (overlayIndex < 1) return [];
  const lowerValues = layers.documents.slice(0, overlayIndex).map(({ root }) => root.value);
  return keysWithoutBase(layers.documents[overlayIndex]?.root.value, lowerValues, []).map(
    ({ path, isRemoval, hint }) =>
      makeFinding(
        overlayUnmatched,
        {
          messageId: isRemoval ? 'removed' : 'misspelt',
          path,
          at: 'key',
          parameters: { given: path.at(-1), hint: didYouMean(hint) },
          ...(hint !== undefined && { fix: { key: hint } }),
        },
        stackSubject,
        stack.locate,
      ),
  );
}

interface KeyWithoutBase {
  /** The path of the key in the overlay. */
  readonly path: ConfigPath;
  /** Whether its value is null, which removes the key from what is below. */
  readonly isRemoval: boolean;
  /** The similar key that was probably meant, unless the overlay has that, too. */
  readonly hint: string | undefined;
}

/**
 * Keys that remove nothing, and names of declarations that are close to one below; a new
 * declaration, or a new property, is what overlays are for.
 */
function keysWithoutBase(
  overlayValue: unknown,
  lowerValues: readonly unknown[],
  path: ConfigPath,
): readonly KeyWithoutBase[] {
  if (!isObject(overlayValue)) return [];
  const lowerKeys = new Set(
    lowerValues.flatMap((each) => {
      const value = valueAt(each, path);
      return isObject(value) ? Object.keys(value) : [];
    }),
  );
  const isSection = path.length === 1 && Object.hasOwn(sections, String(path[0]));
  return Object.entries(overlayValue).flatMap(([key, value]): readonly KeyWithoutBase[] => {
    const keyPath = [...path, key];
    if (lowerKeys.has(key)) return keysWithoutBase(value, lowerValues, keyPath);
    const closest = nearest(key, lowerKeys);
    const intended =
      closest !== undefined && key.length > 2 && isTypo(key, closest) ? closest : undefined;
    const hint =
      intended !== undefined && Object.hasOwn(overlayValue, intended) ? undefined : intended;
    if (value === null) return [{ path: keyPath, isRemoval: true, hint }];
    return isSection && intended !== undefined ? [{ path: keyPath, isRemoval: false, hint }] : [];
  });
}
