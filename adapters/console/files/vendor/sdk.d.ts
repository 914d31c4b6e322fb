export * from '../../../sdk/typescript/src/operator.js';
