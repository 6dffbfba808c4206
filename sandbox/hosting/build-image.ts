import { CastellanError } from '../../core/errors/castellan-error.js';
import { docker } from './engine.js';

/**
 * Builds an app's image from a folder with a Dockerfile.
 *
 * @returns the id of the image.
 * @throws CAS4015 with the last lines of the build.
 */
export async function buildImage(app: string, folder: string): Promise<string> {
  try {
    return await docker(['build', '-q', '-t', `castellan-${app}:sandbox`, folder], { milliseconds: 1_800_000 });
  } catch (error) {
    const { stdout = '', stderr = '' } = ((error as Error).cause ?? {}) as { stdout?: string; stderr?: string };
    const last = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
    const reason = last.length === 0 ? (error as Error).message : last.slice(-8).join('\n  ');
    throw new CastellanError('CAS4015', `${app} from ${folder}\n  ${reason}`, { cause: error, details: { folder } });
  }
}
