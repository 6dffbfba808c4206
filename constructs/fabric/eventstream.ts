import { readFileSync } from 'node:fs';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { EventstreamDefinitionProps, EventstreamProps as EventstreamDeclaration } from '../../policies/schemas/index.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import type { Construct } from '../internal/cdktf.js';
import { FabricEventstream } from '../internal/fabric.js';
import { requireProvider } from '../internal/providers.js';
import { documentPart } from './definition-template.js';
import type { EventstreamGraph } from './eventstream-document.js';
import { eventstreamDocument } from './eventstream-document.js';
import type { WorkspaceReference } from './item-props.js';
import { documentOf, itemConfig, workspaceIdOf } from './item-props.js';

/** The graph of an eventstream: inline, `{ file }`, or the parts that the interface takes. */
export interface EventstreamDefinition
  extends EventstreamGraph, Omit<EventstreamDefinitionProps, 'sources' | 'streams' | 'operators' | 'destinations'> {}

/** Everything that may be declared of an eventstream. */
export interface EventstreamProps extends Omit<EventstreamDeclaration, 'workspace' | 'definition'> {
  /** The workspace that holds the eventstream: one of the stack, or the id of one that exists. */
  readonly workspace: WorkspaceReference;
  /** The graph: sources, streams, operators and destinations. @default an empty graph, to be drawn in the portal. */
  readonly definition?: EventstreamDefinition;
}

/**
 * An eventstream, which takes events in and brings them to destinations.
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
 * @see spec 002, "Create eventstream"
 */
export class Eventstream extends CastellanConstruct {
  /** The id of the eventstream, known after apply. */
  readonly eventstreamId: string;
  /** The id of its workspace. */
  readonly workspaceId: string;
  /** The Terraform resource, for what these props don't say. */
  readonly resource: FabricEventstream;

  constructor(scope: Construct, id: string, props: EventstreamProps) {
    super(scope, id, 'eventstreams', props);
    requireProvider(this, 'fabric');
    this.workspaceId = workspaceIdOf(props.workspace);
    const documents = this.documentsOf(props);
    const definition = Object.fromEntries(documents.map(([path, document]) => [path, documentPart(this, document)]));
    this.resource = this.named(
      new FabricEventstream(this, 'Default', {
        ...itemConfig(props),
        ...(documents.length === 0 ? {} : { format: 'Default', definition }),
      }),
    );
    this.eventstreamId = this.resource.id;
  }

  /** The documents of the definition by their part's path. */
  private documentsOf(props: EventstreamProps): [path: string, document: unknown][] {
    const { definition, displayName, retentionTimeInDays, eventThroughputLevel } = props;
    const documents: [string, unknown][] = [];
    if (definition?.parts !== undefined)
      documents.push(...definition.parts.map((part): [string, unknown] => [part.path, documentOf(part, this.node.path)]));
    else if (definition?.file !== undefined) documents.push(['eventstream.json', readDocument(definition.file, this.node.path)]);
    else if (definition !== undefined)
      documents.push(['eventstream.json', eventstreamDocument(definition, { displayName, workspaceId: this.workspaceId })]);
    if (retentionTimeInDays !== undefined || eventThroughputLevel !== undefined)
      documents.push(['eventstreamProperties.json', { retentionTimeInDays, eventThroughputLevel }]);
    return documents;
  }
}

function readDocument(file: string, owner: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CastellanError('CAS2006', `${owner}: ${file} can't be read as a JSON document: ${reason}`, { cause, details: { file } });
  }
}
