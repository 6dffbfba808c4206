import { withPrivateFile } from '../private-file.js';
import { Container } from './container.js';
import { docker, outputLines, removeLabelled, ensurePauseImage } from './container-engine.js';
import { ensureImage } from './image-pull.js';
import { notePrefix } from './app-log.js';
import type { Processes } from './processes.js';
import type { ContainerSpec, ReplicaContext, Workload, WorkloadSpec } from './workload.js';

/** The label by which a sandbox's containers are found. */
export function projectLabel(project: string): string {
  return `castellan.project=${project}`;
}

/** Removes the containers and volumes of an earlier run. */
export function removeContainers(project: string): Promise<void> {
  return removeLabelled(projectLabel(project));
}

/**
 * Runs a replica of an app's image: its init containers one after the other, then its containers
 * together. All share one network and the template's empty folders, which a container of its own
 * keeps for the lifetime of the replica. Its ports can be reached from this machine only.
 *
 * @throws when an image cannot be pulled or a container cannot be created.
 */
export async function startContainers(
  spec: WorkloadSpec,
  context: ReplicaContext,
  processes: Processes,
  project: string,
): Promise<Workload> {
  const { signal } = context;
  const allContainers = [...spec.initContainers, ...spec.containers];
  for (const image of new Set(allContainers.map((container) => container.image)))
    await ensureImage(image, spec.registries, signal);
  const replicaName = `castellan-${project}-${spec.revision}-${context.index}`;
  await removeReplica(replicaName); // containers left by a crash
  try {
    await startNetworkContainer(replicaName, spec, project);
    for (const container of allContainers)
      await createContainer(replicaName, container, spec, project);
    const ports = await publishedPorts(replicaName);
    return new ImageWorkload(replicaName, spec, context, processes, ports);
  } catch (error) {
    await removeReplica(replicaName).catch(() => undefined); // the first error is more helpful
    throw error;
  }
}

/** A replica whose containers exist. */
class ImageWorkload implements Workload {
  readonly port: number;
  readonly #containers: readonly Container[];
  readonly #initContainers: readonly Container[];
  readonly #stopping = new AbortController();
  #failure: string | undefined;

  constructor(
    private readonly name: string,
    private readonly spec: WorkloadSpec,
    private readonly context: ReplicaContext,
    private readonly processes: Processes,
    ports: ReadonlyMap<number, number>,
  ) {
    const localPort = (containerPort: number): number => ports.get(containerPort) ?? 0;
    this.port = localPort(spec.targetPort);
    const hasSeveral = spec.containers.length + spec.initContainers.length > 1;
    const containerOf = (each: ContainerSpec): Container =>
      new Container(each, {
        processes,
        name: `${name}-${each.name}`,
        localPort,
        writeOutput: context.openOutput(hasSeveral ? each.name : undefined),
        graceSeconds: spec.graceSeconds,
        signal: this.#stopping.signal,
      });
    this.#initContainers = spec.initContainers.map(containerOf);
    this.#containers = spec.containers.map(containerOf);
    this.#watchNetwork();
    this.#run().catch((error: unknown) => this.#onNetworkLost((error as Error).message));
  }

  isReady(): boolean {
    return this.#failure === undefined && this.#containers.every(({ ready }) => ready);
  }

  failure(): string | undefined {
    return this.#failure;
  }

  unreadyReason(): string | undefined {
    return [...this.#initContainers, ...this.#containers]
      .map((each) => (each.ready ? undefined : each.unreadyReason))
      .find(Boolean);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const names = this.spec.containers.map((each) => `${this.name}-${each.name}`);
    try {
      if (this.#failure === undefined)
        await docker(['stop', '-t', String(this.spec.graceSeconds), ...names]);
      await removeReplica(this.name);
    } catch (error) {
      // if the engine has stopped, the rest is removed when it runs again
      this.context.openOutput()(
        `${notePrefix}a replica could not be removed: ${(error as Error).message}\n`,
      );
    }
  }

  async #run(): Promise<void> {
    for (const container of this.#initContainers) {
      await container.keepRunning('init');
      if (this.#stopping.signal.aborted) return;
    }
    await Promise.all(this.#containers.map((container) => container.keepRunning('app')));
  }

  /**
   * Ends the replica when the container with its network ends, or the engine does: its other
   * containers depend on both.
   */
  #watchNetwork(): void {
    const waitProcess = this.processes.spawn('docker', ['wait', networkContainerName(this.name)], {
      stdio: 'ignore',
    });
    waitProcess.once('close', () => this.#onNetworkLost('the container engine ended it'));
    waitProcess.once('error', (error) => this.#onNetworkLost(error.message));
    this.#stopping.signal.addEventListener('abort', () => void waitProcess.kill());
  }

  #onNetworkLost(reason: string): void {
    if (this.#stopping.signal.aborted) return;
    this.#failure = `a replica is gone: ${reason}`;
    this.#stopping.abort();
    this.context.onEnd();
  }
}

/** docker reads lines of 64 KiB at most from an environment file, as Go's bufio.Scanner does. */
const maxEnvFileValueLength = 60_000;
/** The longest host name (RFC 1123: a label). */
const maxHostnameLength = 63;

const networkContainerName = (replicaName: string): string => `${replicaName}--network`;
const volumeName = (replicaName: string, volume: string): string => `${replicaName}--${volume}`;

async function removeReplica(replicaName: string): Promise<void> {
  await removeLabelled(`castellan.replica=${replicaName}`);
}

/** Starts the container with a replica's network, its published ports and its volumes. */
async function startNetworkContainer(
  replicaName: string,
  spec: WorkloadSpec,
  project: string,
): Promise<void> {
  const image = await ensurePauseImage();
  const labels = labelArguments(replicaName, project, spec);
  // In memory, writable for all users as on the platform, and deleted with the replica.
  for (const volume of spec.volumes)
    await docker([
      'volume',
      'create',
      ...labels,
      '--driver',
      'local',
      '--opt',
      'type=tmpfs',
      '--opt',
      'device=tmpfs',
      '--opt',
      'o=mode=1777',
      volumeName(replicaName, volume),
    ]);
  const mounts = spec.volumes.flatMap((volume) =>
    mountArguments(replicaName, volume, `/volumes/${volume}`),
  );
  const probes = spec.containers.flatMap((container) => Object.values(container.probes));
  const ports = new Set([spec.targetPort, ...probes.map(({ port }) => port)]);
  const publish = [...ports].flatMap((port) => ['-p', `127.0.0.1::${port}`]);
  const hostname = [
    '--hostname',
    `${spec.revision}-${replicaName.split('-').at(-1) ?? '0'}`.slice(-maxHostnameLength),
  ];
  await docker([
    'run',
    '-d',
    '--name',
    networkContainerName(replicaName),
    ...labels,
    ...hostname,
    ...mounts,
    ...publish,
    image,
  ]);
}

function labelArguments(
  replicaName: string,
  project: string,
  { app, revision }: WorkloadSpec,
): string[] {
  const labels = [
    projectLabel(project),
    `castellan.app=${app}`,
    `castellan.revision=${revision}`,
    `castellan.replica=${replicaName}`,
  ];
  return labels.flatMap((label) => ['--label', label]);
}

function mountArguments(replicaName: string, volume: string, path: string): string[] {
  return [
    '--mount',
    `type=volume,src=${volumeName(replicaName, volume)},dst=${path},volume-nocopy`,
  ];
}

async function createContainer(
  replicaName: string,
  container: ContainerSpec,
  spec: WorkloadSpec,
  project: string,
): Promise<void> {
  const { name, image, command, args, cpu, memory, mounts } = container;
  const variables: Record<string, string> = {
    CONTAINER_APP_NAME: spec.app,
    CONTAINER_APP_REVISION: spec.revision,
    CONTAINER_APP_REPLICA_NAME: replicaName,
    CONTAINER_APP_PORT: String(spec.targetPort),
    ...container.env,
  };
  // Values are not passed as arguments, which every user of the machine can read, but in a file.
  // Its values cannot contain line breaks: those that do are passed by the environment of the
  // docker command.
  const inheritedVariables = Object.entries(variables).filter(
    ([, value]) => /[\r\n]/.test(value) || value.length > maxEnvFileValueLength,
  );
  const env = Object.fromEntries(inheritedVariables);
  const lines = Object.entries(variables).flatMap(([variable, value]) =>
    Object.hasOwn(env, variable) ? [] : [`${variable}=${value}\n`],
  );
  const [entry, ...rest] = command;
  await withPrivateFile(lines.join(''), (file) =>
    docker(
      [
        'create',
        '--name',
        `${replicaName}-${name}`,
        ...labelArguments(replicaName, project, spec),
        '--network',
        `container:${networkContainerName(replicaName)}`,
        ...(cpu === undefined ? [] : ['--cpus', String(cpu)]),
        ...(memory === undefined ? [] : ['--memory', String(memory)]),
        ...mounts.flatMap(({ volume, path }) => mountArguments(replicaName, volume, path)),
        '--env-file',
        file,
        ...Object.keys(env).flatMap((variable) => ['-e', variable]),
        ...(entry === undefined ? [] : ['--entrypoint', entry]),
        image,
        ...rest,
        ...args,
      ],
      { env },
    ),
  );
}

/** The local ports of a replica, by the ports of its containers. */
async function publishedPorts(replicaName: string): Promise<ReadonlyMap<number, number>> {
  const ports = new Map<number, number>();
  for (const line of outputLines(await docker(['port', networkContainerName(replicaName)]))) {
    const [, containerPort, localPort] = /^(\d+)\/tcp -> .*:(\d+)$/.exec(line) ?? [];
    if (containerPort !== undefined) ports.set(Number(containerPort), Number(localPort));
  }
  return ports;
}
