export { StageRail } from './StageRail';
