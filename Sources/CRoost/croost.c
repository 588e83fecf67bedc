int croost_placeholder;
