import { PolicyChecks } from 'castellan/constructs';
import { App, Aspects, AzurermBackend } from 'cdktf';
import { AuditStack } from './audit';
import { PlatformStack } from './platform';
import { ShopStack } from './shop';
import { TagsAspect } from './tags';

const app = new App();
PolicyChecks.of(app);
const platform = new PlatformStack(app, 'platform');
const shop = new ShopStack(app, 'shop', platform);
const audit = new AuditStack(app, 'audit', shop);
for (const stack of [platform, shop, audit])
  new AzurermBackend(stack, {
    resourceGroupName: 'rg-state',
    storageAccountName: 'shopstate',
    containerName: 'state',
    key: `${stack.node.id}.tfstate`,
  });
Aspects.of(app).add(new TagsAspect({ team: 'shop' }));
app.synth();
