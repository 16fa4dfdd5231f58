// breaks: embed-react, embed-react-no-node, declared-packages
import { useState } from 'react';
import 'zustand';
import 'node:url';
export const Cashier = () => <p>{useState('')[0]}</p>;
