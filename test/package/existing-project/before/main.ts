import { App, Aspects, AzurermBackend } from 'cdktf';
import { PlatformStack } from './platform';
import { ShopStack } from './shop';
import { TagsAspect } from './tags';

const app = new App();
const platform = new PlatformStack(app, 'platform');
const shop = new ShopStack(app, 'shop', platform);
for (const stack of [platform, shop])
  new AzurermBackend(stack, {
    resourceGroupName: 'rg-state',
    storageAccountName: 'shopstate',
    containerName: 'state',
    key: `${stack.node.id}.tfstate`,
  });
Aspects.of(app).add(new TagsAspect({ team: 'shop' }));
app.synth();
