export { DataTable, type Column, type DataTableProps } from './DataTable';
export { Section } from './Section';
