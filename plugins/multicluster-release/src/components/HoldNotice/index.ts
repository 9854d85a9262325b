export { HoldNotice } from './HoldNotice';
