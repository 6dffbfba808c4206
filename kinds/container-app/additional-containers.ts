import type { TProperties } from '@sinclair/typebox';
import { metadataKeyword, metadataOf } from '../schema/property-metadata.js';
import { closedObject, recordOf } from '../schema/schema-builders.js';
import { args, command, containerName, cpu, env, image, memory, probes } from './container.js';

/**
 * The containers beside the app's own. They have some properties of an app. In Terraform and in
 * bodies they are entries of a list, found by their names.
 */
export const additionalContainers = () =>
  recordOf(
    () =>
      closedObject(
        withoutPlaces({
          image: image(),
          command: command(),
          args: args(),
          cpu,
          memory,
          env: env(),
          probes: probes(),
        }),
        { description: 'A container beside the one of the app.', required: ['image'] },
      ),
    {
      namePattern: `^(?=.{1,${containerName.maxLength}}$)${containerName.pattern.slice(1)}`,
      patternDescription: `${metadataOf(containerName).patternDescription ?? ''}, at most ${containerName.maxLength} characters`,
      description:
        "Containers beside the app's own, in each of its replicas, by name. They share the network: only the app's own gets requests.",
    },
  );

/** The properties without their places in Terraform and in bodies. */
function withoutPlaces<Properties extends TProperties>(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const { terraform: _terraform, body: _body, ...metadata } = metadataOf(schema);
      return [name, { ...schema, [metadataKeyword]: metadata }];
    }),
  ) as unknown as Properties;
}
