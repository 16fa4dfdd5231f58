import { fileAnswer, filesOf } from '../../documents/files.ts';

export const getStaticPaths = () => filesOf('pictures');

export const GET = ({ params }: { params: { file: string } }) => fileAnswer('pictures', params.file);
