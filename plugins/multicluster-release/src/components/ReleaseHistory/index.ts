export { ReleaseHistory } from './ReleaseHistory';
