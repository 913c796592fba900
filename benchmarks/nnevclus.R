# nnevclus of R's evclust on the problem in the folder that is given; see nnevclus.py
folder <- commandArgs(trailingOnly = TRUE)[1]
suppressMessages(library(evclust))
read <- function(name) unname(as.matrix(read.csv(file.path(folder, paste0(name, ".csv")), header = FALSE)))
set <- read("settings")
x <- read("x")
start <- list(U0 = NULL, V0 = read("V"), W0 = read("W"), beta0 = c(0, 0))
began <- proc.time()
fit <- nnevclus(x = x, D = as.matrix(dist(x)), c = set[1], n_H = set[2], d0 = set[3],
                options = c(0, set[4], 1e-12, 10), param0 = start)
spent <- proc.time() - began
result <- c(spent[1] + spent[2], fit$crit)
write.table(result, file.path(folder, "result.csv"), row.names = FALSE, col.names = FALSE)
