import { fileAnswer, filesOf } from '../../documents/files.ts';

export const getStaticPaths = () => filesOf('reference');

export const GET = ({ params }: { params: { file: string } }) => fileAnswer('reference', params.file);
