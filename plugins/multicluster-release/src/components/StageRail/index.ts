export { StageRail } from './StageRail';
export { stageName } from './stageName';
