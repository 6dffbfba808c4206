import {
  type AuthSettings,
  ContainerApp,
  type ContainerAppProps,
  Duration,
  Memory,
} from '../../../constructs/index.js';
import { TerraformStack, TerraformVariable, App } from '../../../constructs/internal/cdktf.js';
import { synthesized } from '../support/synthesized.js';

describe('sizes and times', () => {
  it('are texts as in castellan.yaml', () => {
    expect(Memory.gibibytes(1.5)).toBe('1.5Gi');
    expect(Duration.seconds(59)).toBe('00:00:59');
    expect(Duration.minutes(90)).toBe('01:30:00');
    expect(Duration.hours(8)).toBe('08:00:00');
    expect(Duration.days(30)).toBe('30.00:00:00');
    expect(() => Duration.minutes(0)).toThrow(/positive/);
    expect(() => Duration.seconds(0.5)).toThrow(/whole number/);
  });

  it('have types that refuse other texts', () => {
    const sizes: readonly ContainerAppProps['memory'][] = [
      '1Gi',
      Memory.gibibytes(1),
      undefined,
      // @ts-expect-error -- no unit
      '1',
      // @ts-expect-error -- another unit
      '512Mi',
    ];
    // @ts-expect-error -- cores are a number
    const cpu: ContainerAppProps['cpu'] = '1';
    const auth: Partial<AuthSettings> = {
      // @ts-expect-error -- no span of time
      cookieExpiration: { timeToExpiration: '8h' },
    };
    expect([sizes.length, cpu, auth]).toHaveLength(3);
  });

  it('may be known only after apply', () => {
    const stack = new TerraformStack(new App(), 'shop');
    const variable = new TerraformVariable(stack, 'size', { type: 'string' });
    expect(Memory.fromToken(variable.stringValue as string)).toContain('TfToken');
    expect(() => Memory.fromToken('1Gi')).toThrow(/is not a token/);
    expect(() => Duration.fromToken('08:00:00')).toThrow(/Duration\.minutes/);
    const count = new TerraformVariable(stack, 'count', { type: 'number' }).numberValue as number;
    expect(() => Duration.minutes(count)).toThrow(/Duration\.fromToken/);
  });

  it('may be a number that is known only after apply, as the size of memory', () => {
    const { resource } = synthesized((stack) => {
      const size = new TerraformVariable(stack, 'size', { type: 'number' }).numberValue as number;
      const memory = Memory.gibibytes(size);
      const app = new ContainerApp(stack, 'web', { image: 'nginx:1.2', memory });
      expect(app.findings.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    });
    expect(resource['azurerm_container_app']?.['web']).toMatchObject({
      template: { container: [{ memory: '${var.size}Gi' }] },
    });
  });
});
