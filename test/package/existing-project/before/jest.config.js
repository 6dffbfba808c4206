module.exports = {
  preset: 'ts-jest',
  testMatch: ['**/__tests__/**/*.ts'],
  setupFilesAfterEnv: ['<rootDir>/setup.js'],
};
