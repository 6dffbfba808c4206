module.exports = {
  transform: { '\\.ts$': '@swc/jest' },
  testPathIgnorePatterns: ['/node_modules/', '/cdktf.out/'],
};
