import { discardTagMapOfAspects } from '../internal/tags-of-aspects.js';
import { CheckedConstruct } from '../stack/checked-construct.js';
import { readFileSync } from 'node:fs';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { parseDocument } from '../../kinds/eventstream/definition/parse-document.js';
import { eventstream } from '../../kinds/eventstream/eventstream.js';
import { isExpressible } from '../../kinds/schema/mapping.js';
import { eventstreamDocument } from '../../kinds/eventstream/declared-graph.js';
import type { EventstreamDeclaration, EventstreamSource } from '../generated/props.js';
import type { Construct } from '../internal/cdktf.js';
import { toOwnBindingConfig } from '../internal/binding-config.js';
import { withTypedTokens } from '../internal/typed-tokens.js';
import type { MetaArguments } from '../internal/meta-arguments.js';
import {
  CastellanEventstream,
  type CastellanEventstreamConfig,
} from '../generated/lib/castellan/eventstream.js';
import {
  FabricEventstream,
  type FabricEventstreamConfig,
} from '../generated/lib/fabric/eventstream.js';
import { toDeclaredEventhouse, type IEventhouse } from './eventhouse.js';
import { type AddNode, EventstreamFlow } from './eventstream-flow.js';
import type {
  EventstreamDestination,
  EventstreamGraph,
  EventstreamNode,
} from './eventstream-graph.js';
import {
  castellanDefinition,
  type DefinitionPart,
  fabricDefinition,
  isSingleDocument,
  type ItemDefinition,
  decodePart,
} from './item-definition.js';
import { toDeclaredWorkspace, workspaceIdOf, type WorkspaceReference } from './workspace.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** The graph of an eventstream: inline, `{ file }`, or the parts of the API. */
export interface EventstreamDefinition
  extends
    EventstreamGraph,
    Omit<
      NonNullable<EventstreamDeclaration['definition']>,
      'sources' | 'streams' | 'operators' | 'destinations' | 'file'
    > {
  /** A JSON file with the document, relative to the current folder. */
  readonly file?: string | undefined;
}

/** The properties of an eventstream. */
export interface EventstreamProps
  extends Omit<EventstreamDeclaration, 'workspace' | 'definition'>, MetaArguments {
  /** The workspace of the eventstream: one of the stack, or the id of an existing one. */
  readonly workspace: WorkspaceReference;
  /**
   * The graph: sources, streams, operators and destinations. @default none, to be edited in the
   * portal.
   */
  readonly definition?: EventstreamDefinition | undefined;
}

/**
 * An eventstream, which receives events and delivers them to destinations.
 *
 * @example
 * new Eventstream(this, 'clicks', {
 *   workspace: telemetry,
 *   displayName: 'clicks',
 *   definition: {
 *     sources: [{ name: 'web', type: 'CustomEndpoint' }],
 *     destinations: [{ name: 'store', type: 'Eventhouse', eventhouse: clickstore, inputNodes: ['web'] }],
 *   },
 * });
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/items-rules.md, "Create
 *   eventstream"
 */
export class Eventstream extends CheckedConstruct {
  /** The id of the eventstream, known after apply. */
  readonly eventstreamId: string;
  /** The id of its workspace. */
  readonly workspaceId: string;
  /**
   * The Terraform resource: the official one if it supports everything declared, otherwise
   * castellan's own.
   */
  readonly resource: FabricEventstream | CastellanEventstream;
  #props: EventstreamProps;

  constructor(scope: Construct, id: string, declared: EventstreamProps) {
    const props = withTypedTokens(scope, 'eventstreams', declared, id);
    super(scope, id, 'eventstreams', {
      ...props,
      workspace: toDeclaredWorkspace(props.workspace),
      definition: toDeclaredGraph(props.definition),
    });
    this.#props = props;
    this.workspaceId = workspaceIdOf(props.workspace);
    this.resource = this.withLogicalIdOfConstruct(this.createResource(props));
    discardTagMapOfAspects(this.resource);
    this.eventstreamId = this.resource.id;
  }

  /**
   * Adds a source; the returned flow passes its events on.
   *
   * @example
   * clicks
   *   .addSource({ name: 'web', type: 'CustomEndpoint' })
   *   .through({ name: 'all', type: 'Union' })
   *   .to({ name: 'store', type: 'Eventhouse', eventhouse: clickstore });
   * @throws CAS2012 when the graph is given by a file or by the parts of the API.
   */
  addSource(source: EventstreamSource): EventstreamFlow {
    const addNode: AddNode = (list, node) => this.#addToGraph(list, node);
    this.#addToGraph('sources', source);
    return new EventstreamFlow(String(source.name), addNode);
  }

  #addToGraph(list: 'sources' | 'operators' | 'destinations', node: EventstreamNode): void {
    const { definition = {} } = this.#props;
    if (definition.file !== undefined || definition.parts !== undefined)
      throw new CastellanError(
        'CAS2012',
        `${this.node.path} takes its graph from ${definition.file === undefined ? 'parts' : 'a file'}, to which no node can be added: declare the graph by sources, streams, operators and destinations`,
      );
    const changedDefinition = { ...definition, [list]: [...(definition[list] ?? []), node] };
    this.#props = { ...this.#props, definition: changedDefinition };
    this.declare({ definition: toDeclaredGraph(changedDefinition) });
    const itemDefinition = this.definitionOf(this.#props);
    if (this.resource instanceof FabricEventstream) {
      const { format, definition: parts } = fabricDefinition(this, itemDefinition);
      this.resource.format = format;
      this.resource.putDefinition(parts);
    } else this.resource.putDefinition(castellanDefinition(itemDefinition).definition);
    this.snapshotAttributes(this.resource);
  }

  private createResource(props: EventstreamProps): FabricEventstream | CastellanEventstream {
    const definition = this.definitionOf(props);
    const declared = { ...props, workspace: this.workspaceId };
    if (
      isExpressible(eventstream, 'fabric_eventstream', props) &&
      (definition.parts.length === 0 || isSingleDocument(definition))
    ) {
      this.requireProvider('fabric');
      return new FabricEventstream(this, 'Default', {
        ...toOwnBindingConfig<FabricEventstreamConfig>(eventstream, 'fabric_eventstream', declared),
        ...fabricDefinition(this, definition),
      });
    }
    this.requireProvider('castellan');
    return new CastellanEventstream(this, 'Default', {
      ...toOwnBindingConfig<CastellanEventstreamConfig>(
        eventstream,
        'castellan_eventstream',
        declared,
      ),
      ...castellanDefinition(definition),
    });
  }

  private definitionOf({
    definition,
    displayName,
    retentionTimeInDays,
    eventThroughputLevel,
  }: EventstreamProps): ItemDefinition {
    const propertiesPart: DefinitionPart[] =
      retentionTimeInDays === undefined && eventThroughputLevel === undefined
        ? []
        : [
            {
              path: 'eventstreamProperties.json',
              document: { retentionTimeInDays, eventThroughputLevel },
            },
          ];
    if (definition === undefined) return { parts: propertiesPart };
    const { parts, file, format } = definition;
    if (parts !== undefined)
      return {
        ...omitUndefined({ format }),
        parts: [...parts.map(decodePart), ...propertiesPart],
      };
    const document =
      file === undefined
        ? this.graphDocument(definition, displayName)
        : readDocument(file, this.node.path);
    return { parts: [{ path: 'eventstream.json', document }, ...propertiesPart] };
  }

  private graphDocument(graph: EventstreamGraph, displayName: string): unknown {
    const eventhouseIds = (eventhouse: unknown): Record<string, unknown> => {
      if (eventhouse === undefined) return {};
      if (typeof eventhouse !== 'object' || eventhouse === null)
        return { workspaceId: this.workspaceId, itemId: eventhouse };
      const { workspaceId, eventhouseId: itemId } = eventhouse as IEventhouse;
      return { workspaceId, itemId };
    };
    return eventstreamDocument(graph, { displayName, name: this.node.id, eventhouseIds });
  }
}

/** The graph in the form of castellan.yaml: an existing eventhouse is its id there. */
function toDeclaredGraph(
  definition: EventstreamDefinition | undefined,
): EventstreamDefinition | undefined {
  if (!Array.isArray(definition?.destinations)) return definition;
  const destinations = definition.destinations.map((node) =>
    'eventhouse' in node && node.eventhouse !== undefined
      ? { ...node, eventhouse: toDeclaredEventhouse(node.eventhouse as IEventhouse | string) }
      : node,
  );
  return { ...definition, destinations: destinations as readonly EventstreamDestination[] };
}

function readDocument(file: string, owner: string): unknown {
  try {
    return parseDocument(readFileSync(file, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CastellanError(
      'CAS2006',
      `${owner}: ${file} can't be read as a JSON document: ${reason}`,
      { cause, details: { file } },
    );
  }
}
