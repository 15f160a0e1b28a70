#include "cli/verb.hpp"

int main() { return 0; }
