export { DiffView } from './DiffView';
