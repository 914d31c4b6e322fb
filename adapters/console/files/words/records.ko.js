export default {
  add: '{what} 등록',
  delete: '{name} 항목을 삭제할까요?',
  deleteText: '삭제하면 되돌릴 수 없습니다.',
  deleted: '{name} 항목을 삭제했습니다',
  facts: '정보',
  none: '등록된 {what} 항목이 없습니다',
  noneText: '여기나 API에서 등록하면 바로 표시됩니다.',
};
