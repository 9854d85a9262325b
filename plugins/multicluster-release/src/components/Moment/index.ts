export { Age } from './Age';
export { Moment } from './Moment';
